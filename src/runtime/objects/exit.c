/* SPDX-License-Identifier: MIT
 *
 * Exit handlers are kept here instead of in the C library: the real process does not end with the execution.
 */
#include "runtime/objects/exit.h"
#include "runtime/core/core.h"
#include "runtime/objects/leaving.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <string.h>

struct handler {
	void *function;
	void *argument;
	const void *module;
	uint64_t with_status; /* no padding: the bytes are compared */
};

static struct handler *handlers;
static size_t nhandlers, capacity;
static struct mz_state before; /* the handlers that every execution begins with */

bool mz_exit_register(void *function, void *argument, const void *module, bool with_status)
{
	if (!mz_array_reserve(&handlers, &capacity, nhandlers + 1)) return false;
	handlers[nhandlers++] = (struct handler){function, argument, module, with_status};
	return true;
}

void mz_exit_store(struct mz_state *state)
{
	mz_state_put(state, &nhandlers, sizeof nhandlers);
	mz_state_put(state, handlers, nhandlers * sizeof *handlers);
}

void mz_exit_load(struct mz_state *state)
{
	mz_state_get(state, &nhandlers, sizeof nhandlers);
	mz_state_get(state, handlers, nhandlers * sizeof *handlers);
}

void mz_exit_save(void)
{
	mz_exit_store(&before);
}

void mz_exit_restore(void)
{
	before.at = 0;
	mz_exit_load(&before);
}

void mz_exit_roots(void (*look_through)(const void *from, const void *to))
{
	look_through(handlers, handlers + nhandlers);
}

static void run_handler(struct handler handler, int status)
{
	if (handler.with_status)
		((void (*)(int, void *))handler.function)(status, handler.argument);
	else
		((void (*)(void *))handler.function)(handler.argument);
}

static void run_handlers(int status)
{
	while (nhandlers) run_handler(handlers[--nhandlers], status);
}

/* Handlers may register more, and other threads too meanwhile: the last one there is goes first, each time. */
void mz_exit_run_those(uintptr_t low, uintptr_t high)
{
	for (size_t i = nhandlers; i;) {
		struct handler handler = handlers[--i];
		if ((uintptr_t)handler.module < low || (uintptr_t)handler.module >= high) continue;
		nhandlers--;
		MZ_REAL(memmove)(&handlers[i], &handlers[i + 1], (nhandlers - i) * sizeof handler);
		run_handler(handler, 0);
		i = nhandlers;
	}
}

_Noreturn void mz_exit_program(struct mz_fiber *self, int status, bool with_handlers, uintptr_t caller)
{
	if (mz_rt.invariants.evaluating) mz_invariant_abort();
	uint64_t words = status & 0xff ? mz_said_hash(mz_said_last(self)) : 0;
	if (with_handlers) {
		mz_leaving_destroy_all(self);
		run_handlers(status);
	}
	self->caller = caller;
	if (!mz_rt.exit.thread) {
		mz_rt.exit.thread = self;
		mz_rt.exit.status = status & 0xff;
		mz_rt.exit.words = words;
	}
	mz_finish(self, MZ_FIBER_EXITING);
}
