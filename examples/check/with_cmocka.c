/* SPDX-License-Identifier: MIT
 *
 * Interleavings checked by unit tests. Assertions of cmocka work inside an mz_check().
 *
 *     mazurka cc -g -o with_cmocka with_cmocka.c -lcmocka && ./with_cmocka
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* first the headers above, as cmocka wants it */
#include <cmocka.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdlib.h>

struct queue {
	pthread_mutex_t mutex;
	pthread_cond_t filled;
	int items[4];
	int count;
};

static void put(struct queue *queue, int item)
{
	pthread_mutex_lock(&queue->mutex);
	queue->items[queue->count++] = item;
	pthread_cond_signal(&queue->filled);
	pthread_mutex_unlock(&queue->mutex);
}

static int take(struct queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	while (queue->count == 0) pthread_cond_wait(&queue->filled, &queue->mutex);
	int item = queue->items[--queue->count];
	pthread_mutex_unlock(&queue->mutex);
	return item;
}

static void *produce(void *arg)
{
	put(arg, 7);
	return NULL;
}

static void hand_over(void *arg)
{
	struct queue *queue = arg;
	pthread_t thread;
	pthread_create(&thread, NULL, produce, queue);
	assert_int_equal(take(queue), 7);
	pthread_join(thread, NULL);
	assert_int_equal(queue->count, 0);
}

/* Nobody promises that one of two items comes first. */
static void in_order(void *arg)
{
	struct queue *queue = arg;
	pthread_t thread;
	pthread_create(&thread, NULL, produce, queue);
	put(queue, 8);
	assert_int_equal(take(queue), 8);
	pthread_join(thread, NULL);
}

static int set_up(void **state)
{
	struct queue *queue = calloc(1, sizeof *queue);
	pthread_mutex_init(&queue->mutex, NULL);
	pthread_cond_init(&queue->filled, NULL);
	*state = queue;
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

static void test_hand_over(void **state)
{
	assert_int_equal(mz_check(hand_over, *state, NULL), 0);
}

static void test_order_is_not_promised(void **state)
{
	assert_int_equal(mz_check(in_order, *state, &(mz_options){.quiet = 1}), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_hand_over, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_order_is_not_promised, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
