/* SPDX-License-Identifier: MIT
 *
 * Philosophers and a waiter who lets one of them take forks at a time; they eat together all the same.
 *
 * expect: optimal 6
 * expect: dfs 723
 * builds: gcc-O0 clang-O2
 */
#include <pthread.h>

enum { SEATS = 3 };

pthread_mutex_t waiter = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int meals[SEATS];

static void *dine(void *own)
{
	int seat = (int)((int *)own - meals), left = seat, right = (seat + 1) % SEATS;
	pthread_mutex_lock(&waiter);
	pthread_mutex_lock(&forks[left]);
	pthread_mutex_lock(&forks[right]);
	pthread_mutex_unlock(&waiter);
	meals[seat]++;
	pthread_mutex_unlock(&forks[right]);
	pthread_mutex_unlock(&forks[left]);
	return NULL;
}

int main(void)
{
	pthread_t threads[SEATS];
	for (int i = 0; i < SEATS; i++) pthread_create(&threads[i], NULL, dine, &meals[i]);
	for (int i = 0; i < SEATS; i++) pthread_join(threads[i], NULL);
	return 0;
}
