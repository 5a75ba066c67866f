/* SPDX-License-Identifier: MIT
 *
 * Objects of every kind are destroyed and made again, by their functions and by assignment.
 *
 * expect: optimal 4
 * expect: dfs 7056
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex, second;
static pthread_rwlock_t lock;
static pthread_cond_t changed;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphore;
int ready;

static void *work(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	sem_post(&semaphore);
	pthread_barrier_wait(&barrier);
	return unused;
}

static void once(void)
{
	pthread_t thread;
	ready = 0;
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&mutex);
	while (!ready) pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	sem_wait(&semaphore);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		if (i == 0) {
			assert(pthread_mutex_init(&mutex, NULL) == 0 && pthread_rwlock_init(&lock, NULL) == 0);
			assert(pthread_cond_init(&changed, NULL) == 0);
		} else {
			mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
			lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
			changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
		}
		assert(pthread_mutex_init(&second, NULL) == 0 && pthread_spin_init(&spin, 0) == 0);
		assert(pthread_barrier_init(&barrier, NULL, 2) == 0 && sem_init(&semaphore, 0, 0) == 0);
		pthread_mutex_lock(&second);
		pthread_spin_lock(&spin);
		pthread_spin_unlock(&spin);
		pthread_mutex_unlock(&second);
		once();
		assert(pthread_mutex_destroy(&mutex) == 0 && pthread_mutex_destroy(&second) == 0);
		assert(pthread_rwlock_destroy(&lock) == 0 && pthread_cond_destroy(&changed) == 0);
		assert(pthread_spin_destroy(&spin) == 0 && pthread_barrier_destroy(&barrier) == 0);
		assert(sem_destroy(&semaphore) == 0);
	}
	return 0;
}
