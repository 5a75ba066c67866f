/* SPDX-License-Identifier: MIT
 *
 * A read-write lock made of a mutex and a condition, whose readers may become the writer: one at a time. Who is
 * refused gives up its reading and starts over.
 *
 * expect: optimal 16
 * expect: dfs 16
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int readers, upgrading, value;

static void read_lock(void)
{
	pthread_mutex_lock(&mutex);
	while (upgrading) pthread_cond_wait(&changed, &mutex);
	readers++;
	pthread_mutex_unlock(&mutex);
}

/* Whether the reader is now the only one. If not it is no reader any more. */
static int upgrade(void)
{
	pthread_mutex_lock(&mutex);
	int first = !upgrading;
	if (first) {
		upgrading = 1;
		while (readers > 1) pthread_cond_wait(&changed, &mutex);
	} else {
		readers--;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&mutex);
	return first;
}

static void write_unlock(void)
{
	pthread_mutex_lock(&mutex);
	readers = upgrading = 0;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

static void *run(void *unused)
{
	do read_lock();
	while (!upgrade());
	value++;
	write_unlock();
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(value == 2);
	return 0;
}
