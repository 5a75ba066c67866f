/* SPDX-License-Identifier: MIT
 *
 * bounded-buffer N K: a monitor: puts wait while it is full, takes while it is empty, and whoever changes it wakes all.
 * One thread puts N items through a buffer of K, and another takes them, in the same order.
 */
#include "../threads.h"

#define MAX_ITEMS 64

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items[MAX_ITEMS], head, count, capacity, rounds;

static void put(int item)
{
	pthread_mutex_lock(&mutex);
	while (count == capacity) pthread_cond_wait(&changed, &mutex);
	items[(head + count++) % capacity] = item;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

static int take(void)
{
	pthread_mutex_lock(&mutex);
	while (count == 0) pthread_cond_wait(&changed, &mutex);
	int item = items[head];
	head = (head + 1) % capacity;
	count--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	return item;
}

static void *run(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		if (number(arg) == 0)
			put(i);
		else if (take() != i)
			abort();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	rounds = argument(argc, argv, 1, 3, 1000);
	capacity = argument(argc, argv, 2, 2, MAX_ITEMS);
	run_threads(2, run);
	return 0;
}
