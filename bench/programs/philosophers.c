/* SPDX-License-Identifier: MIT
 *
 * philosophers N: everyone takes the left fork first. 2^N - 1 traces, one of them deadlocked.
 */
#include "threads.h"

static pthread_mutex_t forks[MAX_THREADS];
static int n;

static void *run(void *arg)
{
	int left = number(arg), right = (left + 1) % n;
	pthread_mutex_lock(&forks[left]);
	pthread_mutex_lock(&forks[right]);
	pthread_mutex_unlock(&forks[right]);
	pthread_mutex_unlock(&forks[left]);
	return NULL;
}

int main(int argc, char **argv)
{
	n = argument(argc, argv, 1, 3, MAX_THREADS);
	for (int i = 0; i < n; i++) pthread_mutex_init(&forks[i], NULL);
	run_threads(n, run);
	return 0;
}
