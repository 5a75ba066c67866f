/* SPDX-License-Identifier: MIT
 *
 * Philosophers, the last of whom takes the right fork first: no circle.
 *
 * expect: optimal 6
 * expect: dfs 142
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>
#include <stdint.h>

enum { SEATS = 3 };

pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int meals[SEATS];

static void *dine(void *own)
{
	int seat = (int)((int *)own - meals), left = seat, right = (seat + 1) % SEATS;
	int first = left < right ? left : right, second = left < right ? right : left;
	pthread_mutex_lock(&forks[first]);
	pthread_mutex_lock(&forks[second]);
	meals[seat]++;
	pthread_mutex_unlock(&forks[second]);
	pthread_mutex_unlock(&forks[first]);
	return NULL;
}

int main(void)
{
	pthread_t threads[SEATS];
	for (int i = 0; i < SEATS; i++) pthread_create(&threads[i], NULL, dine, &meals[i]);
	for (int i = 0; i < SEATS; i++) pthread_join(threads[i], NULL);
	return 0;
}
