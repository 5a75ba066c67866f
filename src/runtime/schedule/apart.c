/* SPDX-License-Identifier: MIT */
#include "runtime/schedule/apart.h"

/* The explorer's own stack is not in use while a thread runs, below where the explorer was suspended. What is called
 * when no thread runs is there already. */
#define RED_ZONE 128

static const struct mz_driver *driver_apart;

static void call_apart(void (*function)(void *), void *argument)
{
	if (mz_current)
		mz_arch_call_on((uint8_t *)mz_rt.root.sp - RED_ZONE, function, argument);
	else
		function(argument);
}

struct question {
	const struct mz_view *view;
	struct mz_step answer;
};

static void choose_there(void *argument)
{
	struct question *question = argument;
	question->answer = driver_apart->choose(driver_apart->self, question->view);
}

static struct mz_step choose_apart(void *self, const struct mz_view *view)
{
	struct question question = {.view = view};
	(void)self;
	call_apart(choose_there, &question);
	return question.answer;
}

static void observe_there(void *event)
{
	driver_apart->observe(driver_apart->self, event);
}

static void observe_apart(void *self, const struct mz_event *event)
{
	struct mz_event copy = *event;
	(void)self;
	call_apart(observe_there, &copy);
}

static void order_there(void *edge)
{
	const uint32_t *threads = edge;
	driver_apart->order(driver_apart->self, threads[0], threads[1]);
}

static void order_apart(void *self, uint32_t before, uint32_t after)
{
	uint32_t edge[2] = {before, after};
	(void)self;
	call_apart(order_there, edge);
}

const struct mz_driver *mz_driver_for(const struct mz_driver *driver)
{
	static const struct mz_driver apart = {NULL, choose_apart, observe_apart, order_apart};
	if (!mz_caller_wipes() && !mz_rt.seen.leaves_stacks) return driver;
	driver_apart = driver;
	return &apart;
}
