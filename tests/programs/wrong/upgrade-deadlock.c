/* SPDX-License-Identifier: MIT
 *
 * A read-write lock made of a mutex and a condition. Two readers both want to become the writer and wait for the other
 * one to leave.
 *
 * expect: optimal 10
 * expect: dfs 10
 * finding: deadlock
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int readers, value;

static void read_lock(void)
{
	pthread_mutex_lock(&mutex);
	readers++;
	pthread_mutex_unlock(&mutex);
}

static void upgrade(void)
{
	pthread_mutex_lock(&mutex);
	while (readers > 1) pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
}

static void unlock(void)
{
	pthread_mutex_lock(&mutex);
	readers--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

static void *run(void *unused)
{
	read_lock();
	upgrade();
	value++;
	unlock();
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
