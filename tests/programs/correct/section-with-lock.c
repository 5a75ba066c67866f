/* SPDX-License-Identifier: MIT
 *
 * Operations inside a section are part of its step: locks, atomics, the creation of a thread. What a section has done
 * is known to those that conflict with it and come later, so what it hands over is no data race.
 *
 * expect: optimal 2
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int ready;
int data, shared;
pthread_t reader;

static void *read_it(void *arg)
{
	(void)arg;
	mz_atomic_begin();
	assert(!mz_exploring() || shared == 1); /* the section that created this thread has ended */
	int is_ready = atomic_load_explicit(&ready, memory_order_relaxed);
	mz_atomic_end();
	if (is_ready) assert(data == 1);
	return NULL;
}

static void *write_it(void *arg)
{
	(void)arg;
	data = 1;
	mz_atomic_begin();
	pthread_mutex_lock(&lock);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	pthread_mutex_unlock(&lock);
	mz_atomic_end();
	return NULL;
}

int main(void)
{
	pthread_t writer;
	if (!mz_exploring()) return 0; /* the memory orders are not enough without the sections */
	mz_atomic_begin();
	pthread_create(&reader, NULL, read_it, NULL);
	pthread_create(&writer, NULL, write_it, NULL);
	shared = 1;
	mz_atomic_end();
	pthread_join(reader, NULL);
	pthread_join(writer, NULL);
	return 0;
}
