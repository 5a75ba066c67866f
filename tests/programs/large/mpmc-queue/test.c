/* SPDX-License-Identifier: MIT
 *
 * A queue for many producers and consumers, and what may go wrong with it. The counts are those on which all strategies
 * agree.
 *
 * sources: queue.c event.c
 * builds: gcc-O2
 *
 * variant: push
 * arguments: push
 * expect: optimal 6
 *
 * variant: pop
 * arguments: pop
 * expect: optimal 6
 *
 * variant: pop-without-exchange
 * arguments: pop
 * flags: -DWRONG_POP_WITHOUT_EXCHANGE
 * expect: optimal 8
 * findings: assertion @pop-two
 *
 * variant: transfer
 * arguments: transfer
 * expect: optimal 3
 *
 * variant: turn-before-item
 * arguments: transfer
 * flags: -DWRONG_TURN_BEFORE_ITEM
 * expect: optimal 3
 * findings: data-race @push|@pop
 *
 * variant: wait
 * arguments: wait
 * expect: optimal 15
 *
 * variant: notify-without-mutex
 * arguments: wait
 * flags: -DWRONG_NOTIFY_WITHOUT_MUTEX
 * expect: optimal 18
 * findings: deadlock
 *
 * variant: close
 * arguments: close
 * expect: optimal 491
 *
 * variant: drained-too-early
 * arguments: close
 * flags: -DWRONG_DRAINED_TOO_EARLY
 * expect: optimal 378
 * findings: assertion @accepted
 */
#include "queue.h"
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static queue *shared;

/* Runs both, each in a thread, and waits for them. */
static void together(void *(*left)(void *), void *left_argument, void *(*right)(void *), void *right_argument)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, left, left_argument);
	pthread_create(&threads[1], NULL, right, right_argument);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

static void *try_push(void *item)
{
	assert(queue_try_push(shared, item) == QUEUE_OK);
	return NULL;
}

static void *try_pop(void *item)
{
	queue_try_pop(shared, item);
	return NULL;
}

/* Two producers: both items are there afterwards, in either order. */
static void test_push(void)
{
	int items[2] = {1, 2}, out[3] = {0, 0, 0};
	shared = queue_new(2, sizeof(int));
	together(try_push, &items[0], try_push, &items[1]);
	assert(queue_length(shared) == 2 && queue_try_push(shared, &items[0]) == QUEUE_FULL);
	assert(queue_try_pop_many(shared, out, 3) == 2);
	assert(out[0] + out[1] == 3 && out[2] == 0);
	queue_free(shared);
}

/* Two consumers get different items, though there is room for what they leave. */
static void test_pop(void)
{
	int items[2] = {1, 2}, out[2] = {0, 0};
	shared = queue_new(2, sizeof(int));
	assert(queue_try_push_many(shared, items, 2) == 2);
	together(try_pop, &out[0], try_pop, &out[1]);
	assert(out[0] + out[1] == 3); /* @pop-two */
	assert(queue_length(shared) == 0);
	queue_free(shared);
}

/* What comes out is what went in, whole, or nothing. */
static void test_transfer(void)
{
	int item = 7, out = 0;
	shared = queue_new(2, sizeof(int));
	together(try_push, &item, try_pop, &out);
	assert(out == 7 || out == 0);
	queue_free(shared);
}

static void *pop(void *item)
{
	assert(queue_pop(shared, item) == QUEUE_OK);
	return NULL;
}

/* A consumer that waits gets the item, whenever it comes. */
static void test_wait(void)
{
	int item = 7, out = 0;
	shared = queue_new(2, sizeof(int));
	together(try_push, &item, pop, &out);
	assert(out == 7);
	queue_free(shared);
}

static void *close_it(void *unused)
{
	queue_close(shared);
	return unused;
}

static void *drain(void *sum)
{
	int item;
	while (queue_pop(shared, &item) == QUEUE_OK) *(int *)sum += item;
	return NULL;
}

static void *offer(void *item)
{
	int *offered = item;
	if (queue_push(shared, offered) != QUEUE_OK) *offered = 0;
	return NULL;
}

/* What was accepted comes out, though the queue is closed meanwhile; and everybody comes to an end. */
static void test_close(void)
{
	int item = 7, sum = 0;
	pthread_t consumer;
	shared = queue_new(2, sizeof(int));
	pthread_create(&consumer, NULL, drain, &sum);
	together(offer, &item, close_it, NULL);
	pthread_join(consumer, NULL);
	assert(sum == item); /* @accepted */
	assert(queue_is_closed(shared));
	queue_free(shared);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
    {"push", test_push}, {"pop", test_pop}, {"transfer", test_transfer}, {"wait", test_wait}, {"close", test_close}};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
		if (argc < 2 || strcmp(argv[1], tests[i].name) == 0) tests[i].run();
	return 0;
}
