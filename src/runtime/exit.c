/* SPDX-License-Identifier: MIT
 *
 * Exit handlers are kept here instead of in the C library: the real process does not end with the execution.
 */
#include "runtime/exit.h"
#include "base/alloc.h"
#include "runtime/race.h"

struct handler {
	void *function;
	void *argument;
	bool with_status;
};

static struct handler *handlers;
static size_t nhandlers, capacity, saved;

bool mz_exit_register(void *function, void *argument, bool with_status)
{
	struct handler *grown = mz_grow(handlers, &capacity, nhandlers + 1, sizeof *handlers);
	if (!grown) return false;
	handlers = grown;
	handlers[nhandlers++] = (struct handler){function, argument, with_status};
	return true;
}

void mz_exit_save(void)
{
	saved = nhandlers;
}

void mz_exit_restore(void)
{
	nhandlers = saved;
}

static void run_handlers(int status)
{
	while (nhandlers) {
		struct handler handler = handlers[--nhandlers];
		if (handler.with_status)
			((void (*)(int, void *))handler.function)(status, handler.argument);
		else
			((void (*)(void *))handler.function)(handler.argument);
	}
}

_Noreturn void mz_exit_program(struct mz_fiber *self, int status, bool with_handlers, uintptr_t caller)
{
	if (with_handlers) run_handlers(status);
	self->caller = caller;
	if (!mz_rt.exiting) {
		mz_rt.exiting = self;
		mz_rt.exit_status = status & 0xff;
	}
	mz_finish(self, MZ_FIBER_EXITING);
}

_Noreturn void mz_exit_failed(struct mz_fiber *self)
{
	mz_finish(self, MZ_FIBER_STOPPED);
}
