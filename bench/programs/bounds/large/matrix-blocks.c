/* SPDX-License-Identifier: MIT
 *
 * matrix-blocks B W [task | lock | barrier]: W workers compute the fourth power of a matrix of B by B blocks, of 2 by 2 numbers each, as
 * the square of its square. A product is B * B * B tasks, taken from a counter: a task multiplies two blocks and adds the
 * result to a third, which has a lock of its own that threads spin for. Between the two products all workers meet at a
 * barrier, where each spins for the others. One word plants a bug:
 *   task     a task is taken with a load and a store, so it may be done twice. Assertion, after one preemption
 *   lock     a lock is taken with a load and a store. Assertion, after two preemptions: one before the store, and one of the
 *            thread that has got the lock meanwhile
 *   barrier  the last worker lets the others go before it sets the count back: who is at the next barrier by then is
 *            forgotten. Livelock, after one preemption
 */
#include "../../threads.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define BLOCK 2
#define MAX_BLOCKS 3
#define MAX_SIZE (BLOCK * MAX_BLOCKS)
#define PRODUCTS 2

typedef long matrix[MAX_SIZE][MAX_SIZE];

static matrix power[PRODUCTS + 1]; /* the matrix, its square, the square of that */
static atomic_int locks[PRODUCTS][MAX_BLOCKS][MAX_BLOCKS];
static atomic_int next[PRODUCTS], arrived, phase;
static int blocks, size, workers;
static bool task, lock, barrier;

static int take_task(atomic_int *counter)
{
	if (!task) return atomic_fetch_add(counter, 1);
	int first = atomic_load(counter);
	atomic_store(counter, first + 1);
	return first;
}

static bool take_lock(atomic_int *at)
{
	if (!lock) return atomic_exchange(at, 1) == 0;
	if (atomic_load(at)) return false;
	atomic_store(at, 1);
	return true;
}

/* Adds to a block, with its lock: to a copy, which is put in the place of the block afterwards. */
static void add(int product, int row, int column, long sums[BLOCK][BLOCK])
{
	atomic_int *mine = &locks[product][row][column];
	while (!take_lock(mine)) sched_yield();
	assert(atomic_fetch_add(mine, 1) == 1);
	for (int i = 0; i < BLOCK; i++) {
		for (int j = 0; j < BLOCK; j++) power[product + 1][BLOCK * row + i][BLOCK * column + j] += sums[i][j];
	}
	atomic_store(mine, 0);
}

/* Multiplies block (row, k) with block (k, column) and adds that to block (row, column) of the product. */
static void multiply(int product, int row, int column, int k)
{
	long sums[BLOCK][BLOCK] = {0};
	for (int i = 0; i < BLOCK; i++) {
		for (int j = 0; j < BLOCK; j++) {
			for (int n = BLOCK * k; n < BLOCK * (k + 1); n++)
				sums[i][j] +=
				    power[product][BLOCK * row + i][n] * power[product][n][BLOCK * column + j];
		}
	}
	add(product, row, column, sums);
}

static void meet(void)
{
	int now = atomic_load(&phase);
	if (atomic_fetch_add(&arrived, 1) + 1 == workers) {
		if (!barrier) atomic_store(&arrived, 0);
		atomic_store(&phase, now + 1);
		if (barrier) atomic_store(&arrived, 0);
	}
	while (atomic_load(&phase) == now) sched_yield();
}

static void *run(void *arg)
{
	int tasks = blocks * blocks * blocks;
	for (int product = 0; product < PRODUCTS; product++) {
		for (int n; (n = take_task(&next[product])) < tasks;)
			multiply(product, n / blocks / blocks, n / blocks % blocks, n % blocks);
		meet();
	}
	return arg;
}

static void square(matrix from, matrix to)
{
	for (int i = 0; i < size; i++) {
		for (int j = 0; j < size; j++) {
			for (int k = 0; k < size; k++) to[i][j] += from[i][k] * from[k][j];
		}
	}
}

int main(int argc, char **argv)
{
	static matrix check[PRODUCTS + 1];
	blocks = argument(argc, argv, 1, 1, MAX_BLOCKS);
	workers = argument(argc, argv, 2, 2, MAX_THREADS);
	size = BLOCK * blocks;
	task = has_word(argc, argv, "task");
	lock = has_word(argc, argv, "lock");
	barrier = has_word(argc, argv, "barrier");
	for (int i = 0; i < size * size; i++) check[0][i / size][i % size] = power[0][i / size][i % size] = i % 5 - 1;
	run_threads(workers, run);
	for (int product = 0; product < PRODUCTS; product++) square(check[product], check[product + 1]);
	for (int i = 0; i < size * size; i++)
		assert(power[PRODUCTS][i / size][i % size] == check[PRODUCTS][i / size][i % size]);
	return 0;
}
