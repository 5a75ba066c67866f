/* SPDX-License-Identifier: MIT
 *
 * queens N W lost | stuck | early: W workers count the ways to put N queens on a board of N by N. Each takes the next
 * square of the first row until there is none, and the main thread yields until all of them are done. Wrong in one way:
 *   lost   solutions are added up with a load and a store. Assertion
 *   stuck  so are the workers that are done: it may wait for ever. Livelock
 *   early  workers count as active only while they count, and from a moment after they took a square. Assertion
 */
#include "../threads.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define MAX_SIZE 8

static const int solutions[MAX_SIZE + 1] = {1, 1, 0, 0, 2, 10, 4, 40, 92};
static atomic_int next, total, active;
static int size, workers;
static bool lost, stuck, early;

static bool fits(const int *columns, int row)
{
	for (int above = 0; above < row; above++) {
		int apart = columns[row] - columns[above];
		if (apart == 0 || apart == row - above || apart == above - row) return false;
	}
	return true;
}

static int count(int *columns, int row)
{
	if (row == size) return 1;
	int found = 0;
	for (columns[row] = 0; columns[row] < size; columns[row]++) {
		if (fits(columns, row)) found += count(columns, row + 1);
	}
	return found;
}

static void add(atomic_int *to, int amount, bool racy)
{
	if (racy)
		atomic_store(to, atomic_load(to) + amount);
	else
		atomic_fetch_add(to, amount);
}

static void *run(void *arg)
{
	int columns[MAX_SIZE];
	while ((columns[0] = atomic_fetch_add(&next, 1)) < size) {
		if (early) add(&active, 1, false);
		int found = count(columns, 1);
		if (found) add(&total, found, lost);
		if (early) add(&active, -1, false);
	}
	if (!early) add(&active, -1, stuck);
	return arg;
}

static void wait_for_all(void)
{
	while (early && !atomic_load(&next)) sched_yield();
	while (atomic_load(&active)) sched_yield();
	assert(atomic_load(&total) == solutions[size]);
}

int main(int argc, char **argv)
{
	size = argument(argc, argv, 1, 4, MAX_SIZE);
	workers = argument(argc, argv, 2, 2, MAX_THREADS);
	lost = has_word(argc, argv, "lost");
	stuck = has_word(argc, argv, "stuck");
	early = has_word(argc, argv, "early");
	pthread_t threads[MAX_THREADS];
	if (!early) atomic_store(&active, workers);
	for (int i = 0; i < workers; i++) pthread_create(&threads[i], NULL, run, NULL);
	wait_for_all();
	for (int i = 0; i < workers; i++) pthread_join(threads[i], NULL);
	return 0;
}
