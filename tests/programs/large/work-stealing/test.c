/* SPDX-License-Identifier: MIT
 *
 * A work-stealing scheduler, and what may go wrong with it. The counts are those on which all strategies agree; joining
 * has 36004 traces, of which those with at most two preemptions are explored: 107 where atomic_init() is a step, as it
 * is with gcc, and the first switch away from main counts.
 *
 * sources: deque.c scheduler.c
 * builds: gcc-O2 clang-O0
 *
 * variant: last
 * arguments: last
 * expect: optimal 12
 *
 * variant: last-for-both
 * arguments: last
 * flags: -DWRONG_LAST_ITEM_FOR_BOTH
 * expect: optimal 13
 * findings: assertion @taken
 *
 * variant: push-without-fence
 * arguments: last
 * flags: -DWRONG_PUSH_WITHOUT_FENCE
 * expect: optimal 12
 * findings: data-race @value
 *
 * variant: grow
 * arguments: grow
 * expect: optimal 26
 *
 * variant: stop
 * arguments: stop
 * expect: optimal 11
 *
 * variant: sleep-without-look
 * arguments: stop
 * flags: -DWRONG_SLEEP_WITHOUT_LOOK
 * expect: optimal 8
 * findings: deadlock
 *
 * variant: join
 * arguments: join
 * options: --preemptions 2
 * expect: optimal 107
 * counted: gcc-O2
 */
#include "deque.h"
#include "scheduler.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct item {
	int value;
	atomic_int taken;
};

static struct item items[3];
static deque shared;

static void take(struct item *item)
{
	if (!item) return;
	assert(item->value == 7);                      /* @value */
	assert(atomic_exchange(&item->taken, 1) == 0); /* @taken */
}

static void *thief(void *unused)
{
	void *item = NULL;
	if (deque_steal(&shared, &item) == DEQUE_GOT) take(item);
	return unused;
}

static void push(struct item *item)
{
	item->value = 7;
	assert(deque_push(&shared, item));
}

/* With one thief about, every item is taken once, by the owner or the thief. */
static void with_thief(int n, size_t capacity, void (*owner)(int))
{
	pthread_t thread;
	for (int i = 0; i < n; i++) atomic_store(&items[i].taken, 0);
	assert(deque_init(&shared, capacity));
	pthread_create(&thread, NULL, thief, NULL);
	owner(n);
	pthread_join(thread, NULL);
	for (int i = 0; i < n; i++) assert(atomic_load(&items[i].taken) == 1);
	deque_release(&shared);
}

static void push_and_pop(int n)
{
	struct item *item;
	for (int i = 0; i < n; i++) push(&items[i]);
	while ((item = deque_pop(&shared))) take(item);
}

/* The owner and the thief meet at the last item. */
static void test_last(void)
{
	with_thief(1, 1, push_and_pop);
}

/* The array is replaced while the thief may look at it. */
static void test_grow(void)
{
	with_thief(2, 1, push_and_pop);
}

static atomic_int sum;

static void add(scheduler_worker *worker, void *argument)
{
	(void)worker;
	atomic_fetch_add(&sum, *(int *)argument);
}

static void fork_and_join(scheduler_worker *worker, void *argument)
{
	scheduler_group group = SCHEDULER_GROUP;
	scheduler_spawn(worker, &group, add, argument);
	scheduler_join(worker, &group);
	assert(atomic_load(&sum) == 1);
}

/* What is spawned has run when the group is joined, here or there. */
static void test_join(void)
{
	int one = 1;
	scheduler *scheduler = scheduler_new(2);
	atomic_store(&sum, 0);
	scheduler_run(scheduler, fork_and_join, &one);
	scheduler_statistics statistics = scheduler_get_statistics(scheduler);
	scheduler_free(scheduler);
	assert(statistics.spawned == 1 && statistics.stolen <= 1);
}

/* Threads that have nothing to do at all stop when told to. */
static void test_stop(void)
{
	scheduler_free(scheduler_new(2));
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {{"last", test_last}, {"grow", test_grow}, {"join", test_join}, {"stop", test_stop}};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
		if (argc < 2 || strcmp(argv[1], tests[i].name) == 0) tests[i].run();
	return 0;
}
