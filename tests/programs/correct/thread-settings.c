/* SPDX-License-Identifier: MIT
 *
 * What threads are told about scheduling, processors and names is checked as the kernel checks it, told again as it was
 * set, and inherited. Attributes that the kernel refuses make pthread_create fail. A mask in the attributes is the new
 * thread's.
 *
 * expect: optimal 1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

static void *check(void *arg)
{
	char name[16];
	int policy;
	struct sched_param parameters;
	sigset_t mask;
	assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "inherited") == 0);
	assert(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0);
	assert(policy == SCHED_BATCH && parameters.sched_priority == 0);
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	assert(sigismember(&mask, SIGUSR1) == (arg != NULL));
	return NULL;
}

static void create(pthread_attr_t *attributes, void *arg)
{
	pthread_t thread;
	assert(pthread_create(&thread, attributes, check, arg) == 0);
	pthread_join(thread, NULL);
}

int main(void)
{
	pthread_t self = pthread_self(), thread;
	struct sched_param none = {0}, some = {.sched_priority = 50};
	pthread_attr_t attributes;
	cpu_set_t set;
	char name[16];
	sigset_t mask;
	CPU_ZERO(&set);
	assert(pthread_setaffinity_np(self, sizeof set, &set) == EINVAL);
	assert(pthread_getaffinity_np(self, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0);
	int processor = 0;
	while (!CPU_ISSET(processor, &set)) processor++;
	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	assert(pthread_setaffinity_np(self, sizeof set, &set) == 0);
	CPU_ZERO(&set);
	assert(pthread_getaffinity_np(self, sizeof set, &set) == 0);
	assert(CPU_COUNT(&set) == 1 && CPU_ISSET(processor, &set));
	assert(pthread_setschedparam(self, 77, &none) == EINVAL &&
	       pthread_setschedparam(self, SCHED_OTHER, &some) == EINVAL);
	assert(pthread_setschedparam(self, SCHED_FIFO, &none) == EINVAL);
	assert(pthread_setschedparam(self, SCHED_BATCH, &none) == 0 && pthread_setschedprio(self, 3) == EINVAL);
	assert(pthread_setname_np(self, "longer than fifteen") == ERANGE && pthread_setname_np(self, "inherited") == 0);
	assert(pthread_getname_np(self, name, 15) == ERANGE);
	create(NULL, NULL);
	pthread_attr_init(&attributes);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	pthread_attr_setsigmask_np(&attributes, &mask);
	create(&attributes, &mask);
	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &some);
	pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
	assert(pthread_create(&thread, &attributes, check, NULL) == EINVAL);
	return 0;
}
