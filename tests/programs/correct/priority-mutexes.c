/* SPDX-License-Identifier: MIT
 *
 * Mutexes that inherit priorities or have ceilings are mutexes like others; ceilings are kept, and refused where there
 * are none.
 *
 * expect: optimal 2
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static pthread_mutex_t inherits, plain = PTHREAD_MUTEX_INITIALIZER;
int count;

static void *work(void *arg)
{
	const struct sched_param parameters = {0};
	pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters);
	pthread_mutex_lock(&inherits);
	count++;
	pthread_mutex_unlock(&inherits);
	return arg;
}

static void keep_ceiling(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attributes;
	int ceiling;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
	pthread_mutexattr_setprioceiling(&attributes, 5);
	pthread_mutex_init(mutex, &attributes);
	assert(pthread_mutex_getprioceiling(mutex, &ceiling) == 0 && ceiling == 5);
	assert(pthread_mutex_setprioceiling(mutex, 1000, &ceiling) == EINVAL);
	assert(pthread_mutex_getprioceiling(&plain, &ceiling) == EINVAL);
	assert(pthread_mutex_setprioceiling(&plain, 5, &ceiling) == EINVAL);
	pthread_mutex_destroy(mutex);
}

int main(void)
{
	pthread_mutex_t protected;
	pthread_mutexattr_t attributes;
	pthread_t first, second;
	keep_ceiling(&protected);
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&inherits, &attributes);
	pthread_create(&first, NULL, work, NULL);
	pthread_create(&second, NULL, work, NULL);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	assert(count == 2);
	return 0;
}
