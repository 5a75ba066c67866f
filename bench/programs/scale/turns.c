/* SPDX-License-Identifier: MIT
 *
 * turns THREADS ROUNDS: one after another, round after round; then the first two meet where the order matters.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#define MOST 4096

static pthread_t threads[MOST];
static sem_t turns[MOST];
static unsigned long n, rounds, count;
static atomic_int both;

static void *play(void *arg)
{
	unsigned long i = (unsigned long)arg;
	for (unsigned long round = 0; round < rounds; round++) {
		sem_wait(&turns[i]);
		count++;
		sem_post(&turns[(i + 1) % n]);
	}
	if (i < 2) atomic_fetch_add(&both, 1);
	return arg;
}

int main(int argc, char **argv)
{
	assert(argc == 3);
	n = strtoul(argv[1], NULL, 10);
	rounds = strtoul(argv[2], NULL, 10);
	for (unsigned long i = 0; i < n; i++) sem_init(&turns[i], 0, i == 0);
	for (unsigned long i = 0; i < n; i++) pthread_create(&threads[i], NULL, play, (void *)i);
	for (unsigned long i = 0; i < n; i++) pthread_join(threads[i], NULL);
	assert(count == n * rounds);
	return 0;
}
