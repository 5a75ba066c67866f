/* SPDX-License-Identifier: MIT
 *
 * directory C L U [order | cold | again]: C caches share L lines, each of which one cache at a time may own. A directory says which
 * one does. A cache that uses a line that it does not own requests it: it makes the line's entry in the directory busy, asks
 * the owner to give the line up, waits until the owner does not use it any more, becomes the owner, which uses it at once, and makes
 * the entry free again; a cache that finds the entry busy yields. To use a line that it owns a cache need not look at the directory: it
 * says that it uses the line, and then looks whether it was asked to give the line up. Each cache uses a line U times, beginning with
 * that of its own number. One word plants a bug, an assertion that needs two preemptions, since two caches use a line at once:
 *   order  a cache looks whether it was asked to give a line up before it says that it uses it
 *   cold   a line that nobody owns is granted without making its entry busy. That is possible only when a line is first used
 *   again  (three preemptions) the owner is asked, and waited for, before the entry is busy; afterwards the request only looks whether the owner
 *          is the same, who may have lost the line and got it again
 */
#include "../../threads.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define NOBODY (-1)
#define MAX_LINES 4
#define MAX_CACHES 8

/* The directory's entry of a line. */
struct entry {
	atomic_bool busy;
	atomic_int owner;
};

/* What a cache has of a line. Others clear `valid`, to invalidate it. */
struct copy {
	atomic_bool valid, in_use;
};

static struct entry directory[MAX_LINES];
static struct copy copies[MAX_CACHES][MAX_LINES];
static atomic_int users[MAX_LINES];
static int caches, lines, uses;
static bool order, cold, again;

/* Asks the owner of a line to give it up, and waits until it does not use the line any more. */
static void invalidate(int owner, int line)
{
	if (owner == NOBODY) return;
	atomic_store(&copies[owner][line].valid, false);
	while (atomic_load(&copies[owner][line].in_use)) sched_yield();
}

static void make_busy(struct entry *entry)
{
	while (atomic_exchange(&entry->busy, true)) sched_yield();
}

/* Makes a cache the owner of a line, which it uses from now on. */
static void grant(int who, int line)
{
	atomic_store(&copies[who][line].in_use, true);
	atomic_store(&copies[who][line].valid, true);
	atomic_store(&directory[line].owner, who);
	atomic_store(&directory[line].busy, false);
}

/* Requests a line; returns whether it was granted. */
static bool request(int who, int line)
{
	struct entry *entry = &directory[line];
	int owner = atomic_load(&entry->owner);
	bool is_cold = cold && owner == NOBODY;
	if (again) invalidate(owner, line);
	if (!is_cold) make_busy(entry);
	if (again && atomic_load(&entry->owner) != owner) {
		atomic_store(&entry->busy, false);
		return false;
	}
	if (!again && !is_cold) invalidate(atomic_load(&entry->owner), line);
	grant(who, line);
	return true;
}

/* Says that the cache uses the line, and returns true, if the cache owns it. */
static bool begin_use(struct copy *copy)
{
	bool had = order && atomic_load(&copy->valid);
	atomic_store(&copy->in_use, true);
	if (order ? had : atomic_load(&copy->valid)) return true;
	atomic_store(&copy->in_use, false);
	return false;
}

static void use(int who, int line)
{
	struct copy *copy = &copies[who][line];
	if (!begin_use(copy)) {
		while (!request(who, line)) continue;
	}
	assert(atomic_fetch_add(&users[line], 1) == 0);
	atomic_fetch_sub(&users[line], 1);
	atomic_store(&copy->in_use, false);
}

static void *run(void *arg)
{
	for (int n = 0; n < uses; n++) use(number(arg), (number(arg) + n) % lines);
	return NULL;
}

int main(int argc, char **argv)
{
	caches = argument(argc, argv, 1, 2, MAX_CACHES);
	lines = argument(argc, argv, 2, 1, MAX_LINES);
	uses = argument(argc, argv, 3, 1, 100);
	order = has_word(argc, argv, "order");
	cold = has_word(argc, argv, "cold");
	again = has_word(argc, argv, "again");
	for (int line = 0; line < lines; line++) directory[line].owner = NOBODY;
	run_threads(caches, run);
	return 0;
}
