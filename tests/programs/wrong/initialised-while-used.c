/* SPDX-License-Identifier: MIT
 *
 * A thread that comes late initialises the mutex again, which another one is about to take.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @again
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *prepare(void *unused)
{
	pthread_mutex_init(&mutex, NULL); /* @again */
	return unused;
}

int main(void)
{
	pthread_t user, late;
	pthread_create(&user, NULL, use, NULL);
	pthread_create(&late, NULL, prepare, NULL);
	pthread_join(user, NULL);
	pthread_join(late, NULL);
	return 0;
}
