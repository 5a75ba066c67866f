/* SPDX-License-Identifier: MIT
 *
 * A large block is freed under a lock; a thread that gets the lock later reads a page of it that nobody used before.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: use-after-free @read
 */
#include <pthread.h>
#include <stdlib.h>

#define SIZE (1UL << 20)

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char *block;
int sum;

static void *look(void *unused)
{
	pthread_mutex_lock(&mutex);
	sum += block[SIZE / 2]; /* @read */
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	block = malloc(SIZE);
	pthread_create(&thread, NULL, look, NULL);
	pthread_mutex_lock(&mutex);
	free(block);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
