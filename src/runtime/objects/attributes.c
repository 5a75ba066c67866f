/* SPDX-License-Identifier: MIT */
#include "runtime/objects/attributes.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/signal_actions.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096UL
#define ROUNDING 64UL /* the C library makes sizes of stacks multiples of that */
#define MOST (MZ_LAYOUT_STACK_SLOT - MZ_LAYOUT_STACK_GUARD - MZ_LAYOUT_STACK_OURS)

static struct mz_attributes first, defaults; /* before main; of the execution */
static bool is_changed;                      /* the execution has set them */
static struct mz_attributes usual; /* of threads that are created without any, as long as nothing is changed */
static int usual_error;

/* ---- attributes ---- */

static void read_scheduling(const pthread_attr_t *attributes, struct mz_attributes *asked)
{
	int inherits = PTHREAD_INHERIT_SCHED;
	struct sched_param parameters = {0};
	pthread_attr_getinheritsched(attributes, &inherits);
	pthread_attr_getschedpolicy(attributes, &asked->policy);
	pthread_attr_getschedparam(attributes, &parameters);
	asked->schedules = inherits == PTHREAD_EXPLICIT_SCHED;
	asked->priority = parameters.sched_priority;
}

/* Reads the processors. Where none were set the C library shows all that there could be; more than a cpu_set_t has are
 * left out. */
static void read_processors(const pthread_attr_t *attributes, struct mz_attributes *asked)
{
	int error = pthread_attr_getaffinity_np(attributes, sizeof asked->processors, &asked->processors);
	asked->places = !error && CPU_COUNT(&asked->processors) < CPU_SETSIZE;
}

static struct mz_attributes read_from(const pthread_attr_t *attributes)
{
	struct mz_attributes asked;
	int state = PTHREAD_CREATE_JOINABLE;
	void *low = NULL;
	size_t size = 0;
	sigset_t mask;
	memset(&asked, 0, sizeof asked);
	pthread_attr_getdetachstate(attributes, &state);
	pthread_attr_getstack(attributes, &low, &size);
	pthread_attr_getstacksize(attributes, &asked.stack_size);
	pthread_attr_getguardsize(attributes, &asked.guard_size);
	asked.stack_high = (uintptr_t)low + size;
	asked.detached = state == PTHREAD_CREATE_DETACHED;
	asked.masks = pthread_attr_getsigmask_np(attributes, &mask) == 0;
	if (asked.masks) asked.mask = mz_signals_of(&mask);
	read_scheduling(attributes, &asked);
	read_processors(attributes, &asked);
	return asked;
}

static void write_mask(pthread_attr_t *attributes, uint64_t signals)
{
	sigset_t mask;
	mz_signals_to(signals, &mask);
	MZ_REAL(pthread_attr_setsigmask_np)(attributes, &mask);
}

int mz_attributes_write(pthread_attr_t *attributes, const struct mz_attributes *asked)
{
	const struct sched_param parameters = {.sched_priority = asked->priority};
	pthread_attr_init(attributes);
	pthread_attr_setdetachstate(attributes, asked->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
	if (asked->stack_high)
		pthread_attr_setstack(attributes, (void *)(asked->stack_high - asked->stack_size), asked->stack_size);
	else
		pthread_attr_setstacksize(attributes, asked->stack_size);
	pthread_attr_setguardsize(attributes, asked->guard_size);
	pthread_attr_setinheritsched(attributes, asked->schedules ? PTHREAD_EXPLICIT_SCHED : PTHREAD_INHERIT_SCHED);
	pthread_attr_setschedpolicy(attributes, asked->policy);
	pthread_attr_setschedparam(attributes, &parameters);
	if (asked->masks) write_mask(attributes, asked->mask);
	if (!asked->places) return 0;
	int error = MZ_REAL(pthread_attr_setaffinity_np)(attributes, sizeof asked->processors, &asked->processors);
	if (error) pthread_attr_destroy(attributes);
	return error;
}

/* ---- creating threads ---- */

/* Reports whether there is no room for a stack. That the system would have room for is a limit of ours, which the run
 * has reached. */
static bool is_too_large(size_t size, size_t guard)
{
	if (size <= MOST) return false;
	void *natively = MZ_REAL(mmap)(NULL, size + guard, PROT_NONE,
	                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (natively == MAP_FAILED) return true;
	MZ_REAL(munmap)(natively, size + guard);
	struct mz_session_reached *reached = &mz_rt.session->reached[MZ_LIMIT_STACK];
	reached->count++;
	if (size > reached->most) reached->most = size;
	return true;
}

static int check_stack(struct mz_attributes *asked)
{
	if (!asked->stack_size) asked->stack_size = MZ_LAYOUT_STACK_DEFAULT;
	if (asked->stack_high) {
		asked->guard_size = 0; /* the C library leaves that to the program */
		return 0;
	}
	size_t guard = (asked->guard_size + PAGE - 1) & -PAGE;
	if (guard < asked->guard_size || asked->stack_size + guard < guard) return EINVAL;
	asked->guard_size = guard;
	if (asked->stack_size == first.stack_size && asked->stack_size > MOST)
		asked->stack_size = MOST; /* the system's default, which nobody may need */
	asked->stack_size &= -ROUNDING;
	return is_too_large(asked->stack_size, guard) ? EAGAIN : 0;
}

static int check(struct mz_attributes *asked)
{
	int error = check_stack(asked);
	if (!error && asked->schedules) error = mz_settings_check(asked->policy, asked->priority);
	if (error || !asked->places) return error;
	const cpu_set_t wanted = asked->processors;
	return mz_settings_check_processors(&asked->processors, &wanted, sizeof wanted);
}

/* Reports whether the thread may have memory of [low, high) as its stack when SELF goes on: it has not ended, or might
 * as well have ended later. */
static bool may_have(const struct mz_fiber *fiber, const struct mz_fiber *self, uintptr_t low, uintptr_t high)
{
	uintptr_t end = fiber->start.stack_high, begin = end - fiber->start.stack_size;
	if (fiber->state == MZ_FIBER_UNUSED || !end || begin >= high || end <= low) return false;
	if (fiber->state != MZ_FIBER_FINISHED) return true;
	if (!mz_rt.mode.finds_races) return !fiber->joined && !fiber->detached;
	return mz_clock_get(&self->clocks.own, fiber->index) < mz_clock_get(&fiber->clocks.own, fiber->index);
}

/* Ends SELF, with a finding that says what it does, if another thread has or may still have memory of [low, high) as its
 * stack. */
static void refuse_stack(struct mz_fiber *self, uintptr_t low, uintptr_t high, const char *what, uintptr_t caller)
{
	char name[MZ_THREAD_NAME];
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) {
		const struct mz_fiber *other = &mz_rt.fibers[t];
		if (!may_have(other, self, low, high)) continue;
		struct mz_report report = {.kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}, .address = low};
		mz_report(&report, "%s a stack that thread %s may still be on", what, mz_thread_name(other, name));
		mz_thread_failed(self);
	}
}

void mz_attributes_release(struct mz_fiber *self, uintptr_t low, size_t size, uintptr_t caller)
{
	refuse_stack(self, low, low + size, "release of", caller);
}

void mz_attributes_claim(struct mz_fiber *self, const struct mz_attributes *asked, uintptr_t caller)
{
	uintptr_t high = asked->stack_high, low = high - asked->stack_size;
	mz_memory_check(self, low, asked->stack_size, true, caller);
	refuse_stack(self, low, high, "creation of a thread on", caller);
	if (!mz_rt.seen.leaves_stacks) mz_fiber_notice_stack();
}

int mz_attributes_tell(const struct mz_fiber *fiber, pthread_attr_t *attributes)
{
	const struct mz_settings settings = mz_settings_of(fiber);
	struct mz_attributes told = {.detached = fiber->detached,
	                             .stack_size = fiber->start.stack_size,
	                             .guard_size = fiber->start.guard_size,
	                             .stack_high = fiber->start.stack_high,
	                             .schedules = fiber->start.schedules,
	                             .policy = settings.policy,
	                             .priority = settings.priority,
	                             .places = true,
	                             .processors = settings.processors};
	if (!told.stack_high) told.stack_high = (uintptr_t)fiber->stack_high;
	/* of the first thread: the lowest part is for functions of ours */
	if (!told.stack_size) told.stack_size = (size_t)(fiber->stack_high - fiber->stack_low) - MZ_LAYOUT_STACK_OURS;
	return mz_attributes_write(attributes, &told);
}

/* ---- defaults ---- */

/* Tells the C library the sizes of stacks and guards, which it shows for attributes that do not say theirs. What would
 * need memory stays here. */
static void tell_library(const struct mz_attributes *told)
{
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, told->stack_size);
	MZ_REAL(pthread_setattr_default_np)(&attributes);
}

struct mz_attributes mz_attributes_read(const pthread_attr_t *attributes)
{
	return attributes ? read_from(attributes) : defaults;
}

int mz_attributes_prepare(const pthread_attr_t *attributes, struct mz_attributes *room,
                          const struct mz_attributes **asked)
{
	*asked = &usual;
	if (MZ_LIKELY(!attributes && !is_changed)) return usual_error;
	*room = mz_attributes_read(attributes);
	*asked = room;
	return check(room);
}

/* As the C library checks them. A size of 0 keeps the default. */
static int check_default(const struct mz_attributes *new)
{
	int policy = new->policy;
	bool known = policy == SCHED_OTHER || policy == SCHED_FIFO || policy == SCHED_RR;
	if (!known || new->stack_high) return EINVAL;
	if (!new->priority) return 0;
	bool possible =
	    new->priority >= sched_get_priority_min(policy) && new->priority <= sched_get_priority_max(policy);
	return possible ? 0 : EINVAL;
}

static void set_all(const struct mz_attributes *all, bool changed)
{
	if (!changed && !is_changed) return;
	defaults = *all;
	is_changed = changed;
	tell_library(&defaults);
}

int mz_attributes_set_default(const pthread_attr_t *attributes)
{
	const struct mz_attributes new = read_from(attributes);
	int error = check_default(&new);
	if (error) return error;
	set_all(&new, true);
	return 0;
}

void mz_attributes_save(void)
{
	pthread_attr_t attributes;
	if (MZ_REAL(pthread_getattr_default_np)(&attributes) != 0) return;
	first = defaults = read_from(&attributes);
	pthread_attr_destroy(&attributes);
	usual = first;
	usual_error = check(&usual);
}

void mz_attributes_reset(void)
{
	set_all(&first, false);
}

bool mz_attributes_is_used(void)
{
	return is_changed;
}

void mz_attributes_store(struct mz_state *state)
{
	mz_state_put(state, &defaults, sizeof defaults);
}

void mz_attributes_load(struct mz_state *state)
{
	struct mz_attributes stored = first;
	if (state) mz_state_get(state, &stored, sizeof stored);
	set_all(&stored, state != NULL);
}
