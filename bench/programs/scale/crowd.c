/* SPDX-License-Identifier: MIT
 *
 * crowd THREADS ROUNDS: all meet at a barrier, time and again, and two of them once more where the order matters.
 * crowd THREADS broadcast: they wait for a condition. crowd THREADS forgotten: nobody tells those who wait already. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096

static pthread_t threads[MOST];
static atomic_int both;
static int rounds, go;
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *meet(void *arg)
{
	for (int round = 0; round < rounds; round++) pthread_barrier_wait(&barrier);
	if (arg < (void *)2) atomic_fetch_add(&both, 1);
	return arg;
}

static void *wait_for_it(void *arg)
{
	pthread_mutex_lock(&mutex);
	while (!go) pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(int argc, char **argv)
{
	assert(argc == 3);
	unsigned n = (unsigned)atoi(argv[1]);
	rounds = atoi(argv[2]);
	pthread_barrier_init(&barrier, NULL, n);
	for (unsigned long i = 0; i < n; i++)
		assert(pthread_create(&threads[i], NULL, rounds ? meet : wait_for_it, (void *)i) == 0);
	if (!rounds) {
		pthread_mutex_lock(&mutex);
		go = 1;
		if (strcmp(argv[2], "broadcast") == 0) pthread_cond_broadcast(&condition);
		pthread_mutex_unlock(&mutex);
	}
	for (unsigned i = 0; i < n; i++) pthread_join(threads[i], NULL);
	return 0;
}
