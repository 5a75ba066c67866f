/* SPDX-License-Identifier: MIT
 *
 * What POSIX requires to fail returns that error, and is no finding.
 *
 * expect: optimal 1
 * expect: dfs 1
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static const struct timespec later = {.tv_sec = 4000000000}, invalid = {.tv_nsec = -1};

/* Initialises a mutex that knows whether its callers hold it. */
static void make(pthread_mutex_t *mutex, int type, int robust)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setrobust(&attributes, robust);
	pthread_mutex_init(mutex, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

static void use_without_holding(int type, int robust)
{
	static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	pthread_mutex_t mutex;
	make(&mutex, type, robust);
	assert(pthread_mutex_unlock(&mutex) == EPERM);
	assert(pthread_cond_wait(&condition, &mutex) == EPERM);
	assert(pthread_cond_timedwait(&condition, &mutex, &later) == EPERM);
	assert(pthread_cond_timedwait(&condition, &mutex, &invalid) == EINVAL);
	assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
	assert(pthread_mutex_unlock(&mutex) == EPERM);
	assert(pthread_mutex_destroy(&mutex) == 0);
}

static void open_by_name(void)
{
	const unsigned many = (unsigned)SEM_VALUE_MAX + 1;
	assert(sem_open("/mazurka-refused", O_CREAT, 0600, many) == SEM_FAILED && errno == EINVAL);
	sem_t *there = sem_open("/mazurka-refused", O_CREAT, 0600, 1);
	assert(there != SEM_FAILED && sem_open("/mazurka-refused", O_CREAT, 0600, many) == there);
	assert(sem_open("/mazurka-refused", O_CREAT | O_EXCL, 0600, many) == SEM_FAILED && errno == EINVAL);
	assert(sem_open("/mazurka-refused", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
	sem_unlink("/mazurka-refused");
}

static void *work(void *argument)
{
	return argument;
}

int main(void)
{
	pthread_t thread;
	void *result;
	use_without_holding(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
	use_without_holding(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
	use_without_holding(PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ROBUST);
	open_by_name();
	pthread_create(&thread, NULL, work, &thread);
	assert(pthread_timedjoin_np(thread, &result, NULL) == 0 && result == &thread); /* waits without a limit */
	return 0;
}
