/* SPDX-License-Identifier: MIT
 *
 * Of three threads that post to a semaphore which has room for two, one is told that it is full; the names of
 * semaphores have rules.
 *
 * expect: optimal 6
 * expect: dfs 6
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t semaphore;
static int failed[3];

static void *posts(void *mine)
{
	if (sem_post(&semaphore)) *(int *)mine = errno;
	return NULL;
}

static void opens_badly(const char *name, int error)
{
	assert(sem_open(name, O_CREAT, 0600, 1) == SEM_FAILED && errno == error);
}

int main(void)
{
	pthread_t threads[3];
	char name[NAME_MAX + 1] = "/";
	opens_badly("", EINVAL);
	opens_badly("/", EINVAL);
	opens_badly("/a/b", EINVAL);
	assert(sem_unlink("/a/b") == -1 && errno == ENOENT);
	memset(name + 1, 'a', 252);
	opens_badly(name, ENAMETOOLONG);
	assert(sem_init(&semaphore, 0, SEM_VALUE_MAX - 2) == 0);
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, posts, &failed[i]);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	assert(failed[0] + failed[1] + failed[2] == EOVERFLOW);
	return 0;
}
