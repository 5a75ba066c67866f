/* SPDX-License-Identifier: MIT
 *
 * exception N P [twice | missed]: N workers do P pieces of work each, and the first two of them fail at the end. Who
 * fails first reports it and cancels the others, which look before each piece. With `twice`, it is possible that both
 * are first. With `missed`, who fails cancels before it reports, and whoever stops for that expects a report.
 * Assertions.
 */
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int thrown, cancelled, reports;
static int pieces;
static bool twice, missed;

static bool is_first(int who)
{
	int nobody = 0;
	if (!twice) return atomic_compare_exchange_strong(&thrown, &nobody, who + 1);
	if (atomic_load(&thrown)) return false;
	atomic_store(&thrown, who + 1);
	return true;
}

static void fail(int who)
{
	if (missed) atomic_store(&cancelled, 1);
	if (!is_first(who)) return;
	atomic_fetch_add(&reports, 1);
	atomic_store(&cancelled, 1);
}

static void *run(void *arg)
{
	for (int n = 0; n < pieces; n++) {
		if (!atomic_load(&cancelled)) continue;
		assert(!missed || atomic_load(&thrown));
		return NULL;
	}
	if (number(arg) < 2) fail(number(arg));
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argument(argc, argv, 1, 3, MAX_THREADS);
	pieces = argument(argc, argv, 2, 2, 100);
	twice = has_word(argc, argv, "twice");
	missed = has_word(argc, argv, "missed");
	run_threads(threads, run);
	assert(reports == 1);
	return 0;
}
