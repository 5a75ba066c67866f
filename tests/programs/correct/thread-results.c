/* SPDX-License-Identifier: MIT
 *
 * Results of threads arrive by return and by pthread_exit; a thread knows who it is.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_t ids[2];

static void leave(intptr_t value)
{
	pthread_exit((void *)value);
}

static void *run(void *arg)
{
	intptr_t number = (intptr_t)arg;
	ids[number] = pthread_self();
	assert(pthread_equal(pthread_self(), pthread_self()));
	if (number == 1) leave(11);
	return (void *)10;
}

int main(void)
{
	pthread_t threads[2];
	pthread_attr_t attributes;
	void *result;
	assert(pthread_attr_init(&attributes) == 0);
	assert(pthread_attr_setstacksize(&attributes, 1 << 20) == 0);
	assert(pthread_create(&threads[0], NULL, run, (void *)0) == 0);
	assert(pthread_create(&threads[1], &attributes, run, (void *)1) == 0);
	pthread_attr_destroy(&attributes);
	assert(!pthread_equal(threads[0], threads[1]));
	for (intptr_t i = 0; i < 2; i++) {
		assert(pthread_join(threads[i], &result) == 0);
		assert((intptr_t)result == 10 + i);
		assert(pthread_equal(ids[i], threads[i]));
		assert(!pthread_equal(ids[i], pthread_self()));
	}
	return 0;
}
