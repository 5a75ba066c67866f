/* SPDX-License-Identifier: MIT
 *
 * A sum that is only wrong while somebody holds the lock, between two operations: plain writes are no places to switch.
 * All operations of who makes them are kept in order.
 *
 * options: --points sync
 * expect: optimal 6
 * expect: dfs 6
 */
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t of_first = PTHREAD_MUTEX_INITIALIZER, of_second = PTHREAD_MUTEX_INITIALIZER;
int first[2], second[2];

static int are_equal(void *unused)
{
	(void)unused;
	return first[0] == first[1] && second[0] == second[1];
}

static void *change_first(void *unused)
{
	pthread_mutex_lock(&of_first);
	first[0]++;
	first[1]++;
	pthread_mutex_unlock(&of_first);
	return unused;
}

static void *change_second(void *unused)
{
	pthread_mutex_lock(&of_second);
	second[0]++;
	second[1]++;
	pthread_mutex_unlock(&of_second);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	mz_invariant(are_equal, NULL);
	pthread_create(&threads[0], NULL, change_first, NULL);
	pthread_create(&threads[1], NULL, change_second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
