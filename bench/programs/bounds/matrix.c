/* SPDX-License-Identifier: MIT
 *
 * matrix N W row | barrier | reused: W workers square a matrix of N by N, twice, and meet after each time: they take
 * rows until there are none, and yield until all are there. Wrong in one way:
 *   row      the next row is taken with a load and a store: one may be taken twice. Assertion
 *   barrier  those who have come are counted with a load and a store. Livelock
 *   reused   who comes the second time begins a new count, though others may still wait for the old one. Livelock
 */
#include "../threads.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define MAX_SIZE 8

static int matrix[3][MAX_SIZE][MAX_SIZE]; /* itself, its square, the square of that */
static atomic_int next[2], arrived, taken[2][MAX_SIZE];
static int size, workers;
static bool row, barrier, reused;

static int take(atomic_int *from, bool racy)
{
	if (!racy) return atomic_fetch_add(from, 1);
	int first = atomic_load(from);
	atomic_store(from, first + 1);
	return first;
}

static void multiply(int time, int i)
{
	assert(atomic_fetch_add(&taken[time][i], 1) == 0);
	for (int j = 0; j < size; j++) {
		int sum = 0;
		for (int k = 0; k < size; k++) sum += matrix[time][i][k] * matrix[time][k][j];
		matrix[time + 1][i][j] = sum;
	}
}

static void meet(int time)
{
	int here = (reused ? 1 : time + 1) * workers;
	if (reused && time) {
		int full = workers;
		atomic_compare_exchange_strong(&arrived, &full, 0);
	}
	take(&arrived, barrier);
	while (reused ? atomic_load(&arrived) != here : atomic_load(&arrived) < here) sched_yield();
}

static void *run(void *arg)
{
	for (int time = 0; time < 2; time++) {
		for (int i; (i = take(&next[time], row)) < size;) multiply(time, i);
		meet(time);
	}
	return arg;
}

int main(int argc, char **argv)
{
	size = argument(argc, argv, 1, 2, MAX_SIZE);
	workers = argument(argc, argv, 2, 2, MAX_THREADS);
	row = has_word(argc, argv, "row");
	barrier = has_word(argc, argv, "barrier");
	reused = has_word(argc, argv, "reused");
	for (int i = 0; i < size; i++) matrix[0][i][i] = 2;
	run_threads(workers, run);
	for (int i = 0; i < size; i++) assert(matrix[2][i][i] == 16);
	return 0;
}
