/* SPDX-License-Identifier: MIT
 *
 * Exit handlers are kept here instead of in the C library: the real process does not end with the execution.
 *
 * Two threads that end the process are told apart by who is first: only the first to call exit (or quick_exit, or to
 * return from main) runs handlers, and only the first to get to the end sets the status. So where an execution has two
 * threads that do so, and somebody could tell which was first, these are operations, each on an object of its own, and
 * writes for the first thread alone (MZ_REQUESTS_EXIT). All other things that threads do after the end of the process could have been done before it.
 *
 * Handlers run in the order of their list. So where two threads use the list and creating and joining threads does
 * not order them, to register a handler and to take one are operations, which write the list (MZ_REQUESTS_HANDLERS).
 */
#include "runtime/objects/exit.h"
#include "runtime/core/core.h"
#include "runtime/objects/finalisers.h"
#include "runtime/objects/leaving.h"
#include "runtime/objects/model.h"
#include "runtime/objects/request.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <string.h>

struct handler {
	void *function;
	void *argument;
	const void *module;
	uint64_t with_status; /* no padding: the bytes are compared */
};

/* Handlers in the order in which they were registered. */
struct handlers {
	struct handler *list;
	size_t count, capacity;
};

static struct handlers at_exit, at_quick_exit;
static struct mz_state before; /* the handlers that every execution begins with */

static bool add(struct handlers *handlers, struct handler handler)
{
	if (!mz_array_reserve(&handlers->list, &handlers->capacity, handlers->count + 1)) return false;
	handlers->list[handlers->count++] = handler;
	return true;
}

/* Reports whether the thread that used a list of handlers last has done so before all that SELF did, as far as creating and
 * joining threads tell: SELF descends from a thread that it created later, or has joined it. */
static bool is_ordered(const struct mz_fiber *self)
{
	const struct mz_fiber *other = mz_rt.exit.registrar;
	if (!other || other == self || (other->joined && other->joiner == self)) return true;
	struct mz_session_thread at = mz_rt.session->threads[self->index];
	while (at.parent != MZ_NO_THREAD && at.parent != other->index) at = mz_rt.session->threads[at.parent];
	return at.parent != MZ_NO_THREAD && at.nth > mz_rt.exit.registrar_children;
}

/* Has SELF use a list of handlers. */
static void use(struct mz_fiber *self, const struct handlers *handlers, uintptr_t caller)
{
	if (!self || mz_rt.invariants.evaluating) return;
	if (!is_ordered(self)) mz_request_expect(MZ_REQUESTS_HANDLERS);
	mz_rt.exit.registrar = self;
	mz_rt.exit.registrar_children = self->counts.children;
	if (mz_rt.mode.handlers_are_shared)
		mz_object_do(self, mz_object_find((uintptr_t)handlers), MZ_OP_ACCESS, MZ_WRITE, 0, caller);
}

bool mz_exit_register(void *function, void *argument, const void *module, bool with_status, uintptr_t caller)
{
	use(mz_current, &at_exit, caller);
	return add(&at_exit, (struct handler){function, argument, module, with_status});
}

bool mz_exit_register_quick(void *function, const void *module, uintptr_t caller)
{
	use(mz_current, &at_quick_exit, caller);
	return add(&at_quick_exit, (struct handler){function, NULL, module, false});
}

static void store(const struct handlers *handlers, struct mz_state *state)
{
	mz_state_put(state, &handlers->count, sizeof handlers->count);
	mz_state_put(state, handlers->list, handlers->count * sizeof *handlers->list);
}

static void load(struct handlers *handlers, struct mz_state *state)
{
	mz_state_get(state, &handlers->count, sizeof handlers->count);
	mz_state_get(state, handlers->list, handlers->count * sizeof *handlers->list);
}

void mz_exit_store(struct mz_state *state)
{
	store(&at_exit, state);
	store(&at_quick_exit, state);
}

void mz_exit_load(struct mz_state *state)
{
	load(&at_exit, state);
	load(&at_quick_exit, state);
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
	look_through(at_exit.list, at_exit.list + at_exit.count);
}

static void run_handler(struct handler handler, int status)
{
	if (handler.with_status)
		((void (*)(int, void *))handler.function)(status, handler.argument);
	else
		((void (*)(void *))handler.function)(handler.argument);
}

/* Runs the handlers, of which the last comes first. They may register more, and other threads too meanwhile. */
static void run_handlers(struct mz_fiber *self, struct handlers *handlers, int status, uintptr_t caller)
{
	for (;;) {
		use(self, handlers, caller);
		if (!handlers->count) return;
		run_handler(handlers->list[--handlers->count], status);
	}
}

void mz_exit_run_those(uintptr_t low, uintptr_t high)
{
	for (size_t i = at_exit.count; i;) {
		struct handler handler = at_exit.list[--i];
		if ((uintptr_t)handler.module < low || (uintptr_t)handler.module >= high) continue;
		at_exit.count--;
		MZ_REAL(memmove)(&at_exit.list[i], &at_exit.list[i + 1], (at_exit.count - i) * sizeof handler);
		run_handler(handler, 0);
		i = at_exit.count;
	}
}

/* ---- who is first ---- */

/* What calls that end the process have in common: addresses of objects. */
static const char exit_begins, process_ends;

static bool has_handlers(const struct mz_fiber *self, enum mz_exit_way way)
{
	if (way == MZ_EXIT_QUICK) return at_quick_exit.count;
	return way == MZ_EXIT_HANDLERS && (at_exit.count || mz_finalisers_exist() || mz_leaving_has_destructors(self));
}

/* Sets what lies at `address`, which is a read if another thread has set it: who comes second and third is nobody's concern. */
static void raise_end(struct mz_fiber *self, const char *address, uintptr_t caller)
{
	struct mz_object *object = mz_object_find((uintptr_t)address);
	struct mz_access *access = mz_accesses(self);
	*access = (struct mz_access){.object = object->address, .mask = 0xff, .kind = MZ_WRITE, .expected = 1};
	const struct mz_operation operation = mz_operation(MZ_OP_EXIT, 1);
	mz_visible(self, operation, caller);
	access->before = object->state;
	access->kind = object->state ? MZ_READ : MZ_WRITE;
	mz_commit(self, operation);
	object->state = 1;
}

/* Has SELF call its handlers if it is the first thread that comes to call any; else it waits for the end of the process. */
static void begin(struct mz_fiber *self, int status, enum mz_exit_way way, uintptr_t caller)
{
	struct mz_exit *exit = &mz_rt.exit;
	bool shows = status & 0xff || has_handlers(self, way);
	if (exit->beginner == self) return; /* a handler has called exit */
	if (mz_rt.mode.exits_are_steps) raise_end(self, &exit_begins, caller);
	if (!exit->beginner) {
		exit->beginner = self;
		exit->beginner_shows = shows;
		return;
	}
	if (shows || exit->beginner_shows) mz_request_expect(MZ_REQUESTS_EXIT);
	mz_finish(self, MZ_FIBER_EXITING);
}

/* Ends the process, unless another thread has done so. */
static void end(struct mz_fiber *self, int status, uint64_t words, uintptr_t caller)
{
	struct mz_exit *exit = &mz_rt.exit;
	self->caller = caller;
	if (mz_rt.mode.exits_are_steps) raise_end(self, &process_ends, caller);
	if (exit->thread && (exit->status || status)) mz_request_expect(MZ_REQUESTS_EXIT);
	if (exit->thread) return;
	exit->thread = self;
	exit->status = status;
	exit->words = words;
}

_Noreturn void mz_exit_program(struct mz_fiber *self, int status, enum mz_exit_way way, uintptr_t caller)
{
	if (mz_rt.invariants.evaluating) mz_invariant_abort();
	uint64_t words = status & 0xff ? mz_said_hash(mz_said_last(self)) : 0;
	if (way != MZ_EXIT_NOW) begin(self, status, way, caller);
	if (way == MZ_EXIT_HANDLERS) {
		mz_leaving_destroy_all(self);
		run_handlers(self, &at_exit, status, caller);
		if (mz_finalisers_exist()) {
			mz_finalisers_run();
			run_handlers(self, &at_exit, status, caller); /* which the functions registered */
		}
	} else if (way == MZ_EXIT_QUICK) {
		run_handlers(self, &at_quick_exit, status, caller);
	}
	end(self, status & 0xff, words, caller);
	mz_finish(self, MZ_FIBER_EXITING);
}
