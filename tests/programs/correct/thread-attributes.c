/* SPDX-License-Identifier: MIT
 *
 * What threads are asked about themselves has an answer.
 *
 * expect: optimal 1
 * expect: dfs 1
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

int main(void)
{
	pthread_attr_t attributes;
	struct sched_param parameters;
	cpu_set_t processors;
	char name[16];
	void *low;
	size_t size;
	int policy, old;
	assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
	assert(pthread_attr_getstack(&attributes, &low, &size) == 0);
	assert((char *)low < name && name < (char *)low + size);
	pthread_attr_destroy(&attributes);
	assert(pthread_setname_np(pthread_self(), "somebody") == 0);
	assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "somebody") == 0);
	assert(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0 && policy == SCHED_OTHER);
	assert(pthread_getaffinity_np(pthread_self(), sizeof processors, &processors) == 0);
	assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
	assert(pthread_setcancelstate(old, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
	pthread_testcancel();
	return 0;
}
