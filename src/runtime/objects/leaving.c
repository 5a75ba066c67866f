/* SPDX-License-Identifier: MIT
 *
 * A cleanup handler of C is a jump buffer in the frame of its function. Leaving unwinds the stack up to the latest one
 * and jumps there; when it has done its work it asks to go on from there. Frames of C++ in between are cleaned up by
 * the unwinder.
 */
#include "runtime/objects/leaving.h"
#include "base/bug.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/model.h"
#include "runtime/objects/mutex.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <string.h>
#include <unwind.h>

/* ---- keys ---- */

struct key {
	void (*destructor)(void *);
	uint32_t uses; /* how often it has been created or deleted: odd while it exists */
	uint32_t unused;
};

struct value {
	void *value;
	uint64_t uses; /* `uses` of the key when the value was set */
};

struct destructor {
	void (*function)(void *);
	void *object;
};

/* The values and destructors of a thread. */
struct leavings {
	struct value *values;
	struct destructor *destructors;
	size_t values_capacity, destructors_capacity;
	size_t nvalues, ndestructors; /* 0 at the beginning of an execution */
};

static struct key keys[PTHREAD_KEYS_MAX];
static uint32_t nkeys; /* used in this execution */
static struct leavings *leavings;
static size_t nleavings; /* threads that have had something in this execution */
static size_t capacity;
/* What there is before the first execution: keys of constructors, and what the first thread has of all this. */
static bool is_early;
static struct mz_state before;

static struct leavings *of(const struct mz_fiber *fiber)
{
	size_t known = capacity;
	if (fiber->index >= capacity) {
		mz_array_require(&leavings, &capacity, fiber->index + 1);
		for (size_t t = known; t < capacity; t++) leavings[t] = (struct leavings){0};
	}
	for (; nleavings <= fiber->index; nleavings++)
		leavings[nleavings].nvalues = leavings[nleavings].ndestructors = 0;
	return &leavings[fiber->index];
}

void mz_leaving_roots(const struct mz_fiber *fiber, void (*look_through)(const void *from, const void *to))
{
	if (fiber->index >= nleavings) return;
	const struct leavings *own = &leavings[fiber->index];
	look_through(own->values, own->values + own->nvalues);
	look_through(own->destructors, own->destructors + own->ndestructors);
}

static bool exists(unsigned key)
{
	return key < nkeys && keys[key].uses % 2;
}

/* Performs an operation on the table of keys: which key is free depends on the keys created and deleted before. */
static void touch_keys(struct mz_fiber *self, uintptr_t caller)
{
	mz_object_do(self, mz_object_find((uintptr_t)keys), MZ_OP_ACCESS, MZ_WRITE, 0, caller);
}

int mz_key_create(struct mz_fiber *self, unsigned *key, void (*destructor)(void *), uintptr_t caller)
{
	touch_keys(self, caller);
	uint32_t free = 0;
	while (exists(free)) free++;
	if (free == PTHREAD_KEYS_MAX) return EAGAIN;
	if (free == nkeys) keys[nkeys++].uses = 0;
	keys[free].destructor = destructor;
	keys[free].uses++;
	MZ_RESULT(self, key, free, caller);
	return 0;
}

int mz_key_delete(struct mz_fiber *self, unsigned key, uintptr_t caller)
{
	touch_keys(self, caller);
	if (!exists(key)) return EINVAL;
	keys[key].uses++;
	return 0;
}

static int set_value(struct leavings *own, unsigned key, const void *value)
{
	if (!mz_array_reserve(&own->values, &own->values_capacity, key + 1)) return ENOMEM;
	while (own->nvalues <= key) own->values[own->nvalues++] = (struct value){0};
	own->values[key] = (struct value){(void *)value, keys[key].uses};
	return 0;
}

int mz_key_set(struct mz_fiber *self, unsigned key, const void *value)
{
	struct leavings *own = of(self);
	mz_spin_forget(self);
	return exists(key) ? set_value(own, key, value) : EINVAL;
}

void *mz_key_get(struct mz_fiber *self, unsigned key)
{
	const struct leavings *own = of(self);
	if (!exists(key) || key >= own->nvalues || own->values[key].uses != keys[key].uses) return NULL;
	return own->values[key].value;
}

bool mz_key_has_destructor(unsigned key)
{
	return exists(key) && keys[key].destructor;
}

#define PLACES (1UL << 60) /* no address of x86-64 */

void *mz_key_place(const struct mz_fiber *self, unsigned key)
{
	return (void *)(PLACES + ((uintptr_t)self->index * PTHREAD_KEYS_MAX + key % PTHREAD_KEYS_MAX) * sizeof(void *));
}

/* Keys of the C library that exist before the first execution have the same number here. */
void mz_key_early_create(unsigned key, void (*destructor)(void *))
{
	if (key >= PTHREAD_KEYS_MAX) return;
	keys[key] = (struct key){.destructor = destructor, .uses = 1};
	uint32_t known = __atomic_load_n(&nkeys, __ATOMIC_RELAXED);
	while (known <= key &&
	       !__atomic_compare_exchange_n(&nkeys, &known, key + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

void mz_key_early_delete(unsigned key)
{
	if (key < PTHREAD_KEYS_MAX) keys[key].uses = 0;
}

/* A destructor may set values again; that is respected a few times. */
static void destroy_values(struct mz_fiber *self)
{
	bool any = true;
	for (int round = 0; any && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
		any = false;
		for (unsigned key = 0; key < of(self)->nvalues; key++) {
			void *value = mz_key_get(self, key);
			if (!value) continue;
			of(self)->values[key].value = NULL;
			if (!keys[key].destructor) continue;
			any = true;
			mz_caller_wipe();
			keys[key].destructor(value);
		}
	}
}

/* ---- thread-local variables ---- */

void mz_leaving_destroy(struct mz_fiber *self, void (*function)(void *), void *object)
{
	struct leavings *own = of(self);
	mz_array_require(&own->destructors, &own->destructors_capacity, own->ndestructors + 1);
	own->destructors[own->ndestructors++] = (struct destructor){function, object};
}

bool mz_leaving_has_destructors(const struct mz_fiber *self)
{
	return self->index < nleavings && leavings[self->index].ndestructors;
}

void mz_leaving_destroy_all(struct mz_fiber *self)
{
	while (of(self)->ndestructors) {
		struct leavings *own = of(self);
		const struct destructor last = own->destructors[--own->ndestructors];
		mz_caller_wipe();
		last.function(last.object);
	}
}

/* ---- leaving ---- */

static bool looks_at_ends(const char *module, const char *symbol)
{
	(void)module;
	static const char *const names[] = {"pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(symbol, names[i]) == 0) return true;
	return false;
}

/* Ends are visible where requests may arrive while a thread waits for an end. */
bool mz_leaving_is_seen(void)
{
	static int seen = -1;
	if (MZ_UNLIKELY(seen < 0)) seen = mz_imports_any_instrumented(looks_at_ends);
	return seen || mz_rt.mode.checks_cancellation || mz_rt.mode.checks_signals;
}

_Noreturn void mz_leaving_end(struct mz_fiber *self)
{
	self->leaving = true;
	if (self->index < nleavings) {
		mz_leaving_destroy_all(self);
		destroy_values(self);
	}
	if (self->lent.high) mz_stacks_returned(self, UINTPTR_MAX, self->ended_at);
	mz_mutex_release_robust(self);
	if (mz_leaving_is_seen()) mz_object_do(self, mz_object_of_end(self), MZ_OP_END, MZ_WRITE, 1, 0);
	mz_finish(self, MZ_FIBER_FINISHED);
}

void mz_leaving_push(struct mz_fiber *self, __pthread_unwind_buf_t *handler, uintptr_t sp)
{
	handler->__pad[0] = self->cleanup;
	handler->__pad[1] = (void *)sp;
	self->cleanup = handler;
}

void mz_leaving_pop(struct mz_fiber *self, const __pthread_unwind_buf_t *handler)
{
	self->cleanup = handler->__pad[0];
}

/* Called for every frame that is about to be left, with the stack pointer that its function has. */
static _Unwind_Reason_Code stop_unwinding(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                          struct _Unwind_Exception *exception, struct _Unwind_Context *context,
                                          void *argument)
{
	struct mz_fiber *self = argument;
	uintptr_t sp = _Unwind_GetCFA(context);
	__pthread_unwind_buf_t *handler = self->cleanup;
	(void)version, (void)class, (void)exception;
	if (handler && sp >= (uintptr_t)handler->__pad[1]) {
		/* the unwinder is not returned to: where stacks are compared nothing of it is to be seen */
		uintptr_t here = (uintptr_t)__builtin_dwarf_cfa();
		if (mz_caller_wipes() && !mz_rt.seen.leaves_stacks) MZ_REAL(memset)((void *)here, 0, sp - here);
		/* the buffer is what the handler begins with; it has no signal mask, and so is shorter than others */
		longjmp((struct __jmp_buf_tag *)(void *)handler, 1);
	}
	void *function = _Unwind_FindEnclosingFunction((void *)(_Unwind_GetIP(context) - 1));
	if ((actions & _UA_END_OF_STACK) ||
	    function == self->start.entry) /* the frame above is the thread's own function */
		mz_leaving_end(self);
	return _URC_NO_REASON;
}

/* Called when C++ code has caught the unwinding and not thrown it again. The C library ends the process then. */
static void was_swallowed(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception)
{
	(void)reason, (void)exception;
	struct mz_fiber *self = mz_current;
	struct mz_report report = {.kind = MZ_FINDING_ASSERTION, .place = {self, self->caller, NULL}};
	uintptr_t caller = mz_image_program_frame();
	if (caller) report.place.address = caller;
	mz_report(&report, "abort: the thread is to end (%s), and a catch (...) does not throw that again",
	          self->result == PTHREAD_CANCELED ? "it was cancelled" : "pthread_exit");
	mz_thread_failed(self);
}

/* The exception object belongs to the thread, from the first frame that is left to the last: other threads may run in
 * between. */
_Noreturn void mz_leaving_unwind(struct mz_fiber *self, void *result)
{
	static struct _Unwind_Exception exceptions[MZ_SESSION_THREADS];
	struct _Unwind_Exception *exception = &exceptions[self->index];
	self->result = result;
	self->ended_at = self->caller;
	self->leaving = true;
	mz_spin_forget(self);
	*exception = (struct _Unwind_Exception){.exception_cleanup = was_swallowed};
	_Unwind_ForcedUnwind(exception, stop_unwinding, self);
	mz_leaving_end(self); /* there are frames that the unwinder cannot read */
}

/* ---- executions ---- */

void mz_leaving_save(void)
{
	for (unsigned key = 0; key < nkeys; key++) {
		const void *value = exists(key) ? MZ_REAL(pthread_getspecific)(key) : NULL;
		if (value) set_value(of(&mz_rt.fibers[0]), key, value);
	}
	is_early = nkeys || nleavings;
	mz_leaving_store(&before);
}

void mz_leaving_store(struct mz_state *state)
{
	const uint64_t counts[2] = {nkeys, nleavings};
	mz_state_put(state, counts, sizeof counts);
	mz_state_put(state, keys, nkeys * sizeof *keys);
	for (size_t t = 0; t < nleavings; t++) {
		const struct leavings *own = &leavings[t];
		const uint64_t sizes[2] = {own->nvalues, own->ndestructors};
		mz_state_put(state, sizes, sizeof sizes);
		mz_state_put(state, own->values, own->nvalues * sizeof *own->values);
		mz_state_put(state, own->destructors, own->ndestructors * sizeof *own->destructors);
	}
}

/* Needs no more room: what is loaded was there before. */
static inline __attribute__((always_inline)) void load(struct mz_state *state)
{
	uint64_t counts[2];
	mz_state_get(state, counts, sizeof counts);
	nkeys = (uint32_t)counts[0];
	nleavings = counts[1];
	mz_state_get(state, keys, nkeys * sizeof *keys);
	for (size_t t = 0; t < nleavings; t++) {
		struct leavings *own = &leavings[t];
		uint64_t sizes[2];
		mz_state_get(state, sizes, sizeof sizes);
		own->nvalues = sizes[0];
		own->ndestructors = sizes[1];
		mz_state_get(state, own->values, own->nvalues * sizeof *own->values);
		mz_state_get(state, own->destructors, own->ndestructors * sizeof *own->destructors);
	}
}

void mz_leaving_load(struct mz_state *state)
{
	load(state);
}

MZ_COLD static void load_early(void)
{
	before.at = 0;
	load(&before);
}

void mz_leaving_reset(void)
{
	nkeys = 0;
	nleavings = 0;
	if (MZ_UNLIKELY(is_early)) load_early();
}
