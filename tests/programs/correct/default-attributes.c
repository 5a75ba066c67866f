/* SPDX-License-Identifier: MIT
 *
 * Threads are told what they were created with: by attributes, by defaults that the program has set, by their creator.
 *
 * expect: optimal 1
 * expect: dfs 1
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

struct told {
	size_t stack, guard;
	int detached, inherits;
};

static void *ask(void *place)
{
	struct told *told = place;
	pthread_attr_t attributes;
	cpu_set_t processors;
	assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
	assert(pthread_attr_getstacksize(&attributes, &told->stack) == 0);
	assert(pthread_attr_getguardsize(&attributes, &told->guard) == 0);
	assert(pthread_attr_getdetachstate(&attributes, &told->detached) == 0);
	assert(pthread_attr_getinheritsched(&attributes, &told->inherits) == 0);
	assert(pthread_attr_getaffinity_np(&attributes, sizeof processors, &processors) == 0);
	assert(CPU_COUNT(&processors) == 1);
	assert(pthread_attr_destroy(&attributes) == 0);
	return NULL;
}

static struct told create(const pthread_attr_t *attributes)
{
	pthread_t thread;
	struct told told = {0};
	assert(pthread_create(&thread, attributes, ask, &told) == 0);
	assert(pthread_join(thread, NULL) == 0);
	return told;
}

static void run_on_one_processor(void)
{
	cpu_set_t all, one;
	int first = 0;
	assert(sched_getaffinity(0, sizeof all, &all) == 0);
	while (!CPU_ISSET(first, &all)) first++;
	CPU_ZERO(&one);
	assert(sched_setaffinity(0, sizeof one, &one) == -1 && errno == EINVAL);
	CPU_SET(first, &one);
	assert(sched_setaffinity(0, sizeof one, &one) == 0);
	assert(pthread_getaffinity_np(pthread_self(), sizeof all, &all) == 0 && CPU_EQUAL(&all, &one));
}

static void refuse(void)
{
	pthread_t thread;
	pthread_attr_t attributes;
	cpu_set_t none;
	CPU_ZERO(&none);
	pthread_attr_init(&attributes);
	assert(pthread_attr_setaffinity_np(&attributes, sizeof none, &none) == 0);
	assert(pthread_create(&thread, &attributes, ask, NULL) == EINVAL);
	pthread_attr_destroy(&attributes);
	pthread_attr_init(&attributes);
	assert(pthread_attr_setguardsize(&attributes, (size_t)-1) == 0);
	assert(pthread_create(&thread, &attributes, ask, NULL) == EINVAL);
}

int main(void)
{
	pthread_attr_t attributes, defaults;
	struct told told;
	size_t size, old;
	run_on_one_processor();
	refuse();
	assert(pthread_getattr_default_np(&defaults) == 0);
	assert(pthread_attr_getstacksize(&defaults, &old) == 0);
	told = create(NULL);
	assert(told.stack == old && told.guard == 4096 && told.detached == PTHREAD_CREATE_JOINABLE);
	pthread_attr_init(&attributes);
	assert(pthread_attr_setstacksize(&attributes, 300000) == 0 &&
	       pthread_attr_setguardsize(&attributes, 5000) == 0);
	told = create(&attributes);
	assert(told.stack == 299968 && told.guard == 8192 && told.inherits == PTHREAD_INHERIT_SCHED);
	assert(pthread_setattr_default_np(&attributes) == 0);
	told = create(NULL);
	assert(told.stack == 299968 && told.guard == 8192);
	pthread_attr_init(&attributes);
	assert(pthread_attr_getstacksize(&attributes, &size) == 0 && size == 300000);
	assert(pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED) == 0);
	told = create(&attributes);
	assert(told.stack == 299968 && told.guard == 4096 && told.inherits == PTHREAD_EXPLICIT_SCHED);
	return 0;
}
