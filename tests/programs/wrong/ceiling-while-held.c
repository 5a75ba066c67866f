/* SPDX-License-Identifier: MIT
 *
 * To change the ceiling of a mutex is to lock it: who has it already waits for ever.
 *
 * expect: optimal 1
 * finding: deadlock @ceiling
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;

int main(void)
{
	pthread_mutexattr_t attributes;
	int old;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
	pthread_mutex_init(&mutex, &attributes);
	pthread_mutex_lock(&mutex);
	pthread_mutex_setprioceiling(&mutex, 7, &old); /* @ceiling */
	pthread_mutex_unlock(&mutex);
	return 0;
}
