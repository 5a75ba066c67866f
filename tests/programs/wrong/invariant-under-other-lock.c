/* SPDX-License-Identifier: MIT
 *
 * What has to be equal is changed under two locks: it is not, in between.
 *
 * expect: optimal 6
 * expect: dfs 6
 * finding: assertion @registered
 */
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t of_first = PTHREAD_MUTEX_INITIALIZER, of_second = PTHREAD_MUTEX_INITIALIZER;
int first, second;

static int is_not_behind(void *unused)
{
	(void)unused;
	return !(first && !second);
}

static void *change_first(void *unused)
{
	pthread_mutex_lock(&of_first);
	first = 1;
	pthread_mutex_unlock(&of_first);
	return unused;
}

static void *change_second(void *unused)
{
	pthread_mutex_lock(&of_second);
	second = 1;
	pthread_mutex_unlock(&of_second);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	mz_invariant(is_not_behind, NULL); /* @registered */
	pthread_create(&threads[0], NULL, change_first, NULL);
	pthread_create(&threads[1], NULL, change_second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
