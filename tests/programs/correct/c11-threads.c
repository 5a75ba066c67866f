/* SPDX-License-Identifier: MIT
 *
 * C11 threads, mutexes and conditions.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t condition;
static int ready;

static int producer(void *arg)
{
	assert(mtx_lock(&mutex) == thrd_success);
	ready = *(int *)arg;
	assert(cnd_signal(&condition) == thrd_success);
	assert(mtx_unlock(&mutex) == thrd_success);
	return 17;
}

static int consumer(void *arg)
{
	(void)arg;
	mtx_lock(&mutex);
	while (!ready) cnd_wait(&condition, &mutex);
	int result = ready;
	mtx_unlock(&mutex);
	thrd_exit(result);
}

int main(void)
{
	thrd_t threads[2];
	int value = 23, result = 0;
	assert(mtx_init(&mutex, mtx_plain) == thrd_success);
	assert(cnd_init(&condition) == thrd_success);
	assert(thrd_create(&threads[0], producer, &value) == thrd_success);
	assert(thrd_create(&threads[1], consumer, NULL) == thrd_success);
	assert(thrd_join(threads[0], &result) == thrd_success && result == 17);
	assert(thrd_join(threads[1], &result) == thrd_success && result == 23);
	assert(thrd_equal(thrd_current(), thrd_current()));
	mtx_destroy(&mutex);
	cnd_destroy(&condition);
	return 0;
}
