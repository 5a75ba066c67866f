/* SPDX-License-Identifier: MIT
 *
 * One execution: fibers run one at a time from visible operation to visible operation, and at each the driver is asked
 * who goes next, on the stack of whoever got there. Going on with the same thread costs no switch.
 *
 * Creation, joins and ends of threads are not visible operations: nothing can be overtaken there that matters. A thread
 * that is created, or that a join releases, is brought to its next visible operation before the next choice (the ready
 * queue), so that at every choice the pending operation of every thread is known.
 *
 * The end of the process (exit, return from main) waits until no other thread can make a step, or all that are left
 * only yield: whatever they could have done before the end is then part of the execution. Of several ends, see exit.c.
 */
#include "base/alloc.h"
#include "base/bug.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/schedule/apart.h"
#include "runtime/schedule/early.h"
#include "runtime/schedule/leak.h"
#include "runtime/schedule/plugin.h"
#include "runtime/states/states.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"

struct mz_runtime mz_rt = {.way = &mz_way_of_executions};
struct mz_fiber *mz_current;

static void report_end(void);
static void report_exit(void);

/* ---- the view ---- */

void mz_set_enabled(struct mz_fiber *fiber, bool enabled)
{
	struct mz_pending *pending = &mz_rt.execution.pending[fiber->index];
	uint8_t status = enabled ? MZ_THREAD_ENABLED : MZ_THREAD_BLOCKED;
	mz_rt.execution.nenabled += (status == MZ_THREAD_ENABLED) - (pending->status == MZ_THREAD_ENABLED);
	pending->status = status;
}

static void set_absent(struct mz_fiber *fiber)
{
	struct mz_pending *pending = &mz_rt.execution.pending[fiber->index];
	mz_rt.execution.signature -= fiber->signature;
	fiber->signature = 0;
	mz_rt.execution.nenabled -= pending->status == MZ_THREAD_ENABLED;
	pending->status = MZ_THREAD_ABSENT;
}

static void set_operation(struct mz_fiber *fiber, struct mz_operation operation)
{
	struct mz_pending *pending = &mz_rt.execution.pending[fiber->index];
	pending->decided = 0;
	pending->first = false;
	pending->op = operation.op;
	pending->naccesses = operation.naccesses;
	pending->alternatives = operation.alternatives;
	pending->accesses = fiber->accesses;
	fiber->state = MZ_FIBER_PENDING;
	fiber->signature =
	    mz_hash2((operation.naccesses ? fiber->accesses[0].object : 0) << 8 | operation.op, fiber->index);
	mz_rt.execution.signature += fiber->signature;
}

void mz_set_pending(struct mz_fiber *fiber, struct mz_operation operation, bool enabled)
{
	if (MZ_UNLIKELY(mz_rt.invariants.count) && !mz_rt.mode.searches_states)
		operation.naccesses = mz_invariant_extend(fiber, (enum mz_op)operation.op, operation.naccesses);
	set_operation(fiber, operation);
	mz_set_enabled(fiber, enabled);
}

struct mz_access *mz_accesses_room(struct mz_fiber *self, size_t n)
{
	if (n <= sizeof self->own_accesses / sizeof *self->own_accesses) return mz_accesses_now(self);
	if (n > self->room.capacity) {
		/* the old room stays: threads may be suspended, here or in a checkpoint, with a pointer to it */
		self->room.capacity = n * 2;
		self->room.accesses = mz_alloc(self->room.capacity * sizeof *self->room.accesses);
		if (!self->room.accesses) mz_unsupported("out of memory");
	}
	return self->accesses = self->room.accesses;
}

/* ---- who goes next ---- */

/* How often a thread may yield after another one has asked for the end of the process. What remaining threads do may
 * come before the end; threads that keep yielding have nothing else to do. */
#define LATE_YIELDS 16

static bool only_yields_left(void)
{
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		if (mz_rt.execution.pending[t].status != MZ_THREAD_ENABLED) continue;
		if (mz_rt.execution.pending[t].op != MZ_OP_YIELD || mz_rt.fibers[t].counts.late_yields < LATE_YIELDS)
			return false;
	}
	return true;
}

static bool is_over(void)
{
	if (mz_rt.execution.nfindings && mz_rt.mode.stop_at_finding) {
		mz_rt.execution.end = MZ_END_STOPPED;
		return true;
	}
	if (mz_rt.execution.nenabled && !(mz_rt.exit.thread && only_yields_left())) return false;
	report_end();
	return true;
}

/* Reports whether the threads are where they were when the schedule was at this step before. */
static bool is_as_before(void)
{
	if (mz_rt.execution.nsteps > mz_rt.execution.known || mz_rt.generation == mz_rt.first_generation) {
		mz_rt.execution.signatures[mz_rt.execution.nsteps] = mz_rt.execution.signature;
		return true;
	}
	return mz_rt.execution.signatures[mz_rt.execution.nsteps] == mz_rt.execution.signature ||
	       mz_rt.mode.follows_schedule;
}

/* Reports whether a search of states made the schedule although the program uses what is in no state: then it may well
 * not do the same again, and that is no fault of its own. */
static bool leaves_states(void)
{
	return mz_rt.mode.follows_schedule && !mz_rt.mode.replaying && mz_uncontrolled_any();
}

static struct mz_fiber *report_divergence(void)
{
	mz_rt.execution.end = MZ_END_DIVERGED;
	if (mz_rt.execution.nsteps < mz_rt.execution.promised && !mz_rt.execution.misses) return NULL;
	if (mz_inputs_are_marked()) mz_inputs_refuse_lost();
	if (leaves_states()) return NULL;
	struct mz_report report = {.kind = MZ_FINDING_NONDETERMINISM, .place = {.thread = mz_current}};
	bool isolated = mz_rt.session->configuration.isolation == MZ_ISOLATION_PROCESS || mz_rt.mode.replaying;
	mz_report(&report, "after %u step%s the threads did not do what they did before under the same schedule%s",
	          mz_rt.execution.nsteps, mz_rt.execution.nsteps == 1 ? "" : "s", isolated ? "" : MZ_TRY_ISOLATION);
	return NULL;
}

static bool is_enabled(struct mz_step step)
{
	return step.thread < mz_rt.execution.view.nthreads &&
	       mz_rt.execution.pending[step.thread].status == MZ_THREAD_ENABLED;
}

static struct mz_fiber *follow_schedule(void)
{
	struct mz_step step = mz_rt.execution.schedule[mz_rt.execution.nsteps];
	if (!is_enabled(step))
		return report_divergence(); /* how many alternatives there are is known where the driver is asked */
	mz_rt.execution.choice = step.choice & ~MZ_STEP_BRANCH;
	return &mz_rt.fibers[step.thread];
}

/* Ends the execution before the step that was chosen last: inputs that were found for it do not lead to it, because
 * values went where no shadow follows. That costs what is behind the step. */
static struct mz_fiber *end_missed(void)
{
	mz_rt.session->inputs.missed++;
	mz_rt.execution.end = MZ_END_MISSED;
	return NULL;
}

static struct mz_fiber *restart_search(void);

/* The driver asked for a step that follows from everything that was seen of the program, and the step cannot be made.
 * Something that nobody saw has changed what threads do. */
MZ_COLD static struct mz_fiber *report_contradiction(struct mz_step step)
{
	if (mz_inputs_are_marked() && mz_inputs_any_lost()) return end_missed();
	struct mz_fiber *fiber = step.thread < mz_rt.execution.view.nthreads ? &mz_rt.fibers[step.thread] : NULL;
	struct mz_report report = {.kind = MZ_FINDING_NONDETERMINISM, .place = {.thread = fiber}, .unseen = true};
	if (!mz_rt.session->configuration.races && !mz_rt.mode.notes_races) {
		mz_rt.session->learned.requests.kinds |= MZ_REQUESTS_RACES; /* a data race would explain it */
		return restart_search();
	}
	if (fiber && fiber->state == MZ_FIBER_PENDING) report.place.address = fiber->caller;
	mz_report(
	    &report,
	    "after %u step%s a thread cannot go on where it could in another order of independent steps: it depends "
	    "on something that is not seen",
	    mz_rt.execution.nsteps, mz_rt.execution.nsteps == 1 ? "" : "s");
	mz_rt.execution.end = MZ_END_DIVERGED;
	return NULL;
}

static struct mz_fiber *ask_driver(void)
{
	if (MZ_UNLIKELY(mz_rt.execution.nsignalling)) mz_model_refresh();
	struct mz_step step = mz_rt.execution.driver->choose(mz_rt.execution.driver->self, &mz_rt.execution.view);
	if (step.thread == MZ_NO_THREAD) {
		mz_rt.execution.end = MZ_END_STOPPED;
		mz_rt.session->signature = mz_rt.execution.signature;
		if (mz_rt.mode.follows_schedule && !mz_rt.execution.nfindings)
			report_exit(); /* the others may go on for ever */
		return NULL;
	}
	if (MZ_UNLIKELY(!is_enabled(step) || step.choice >= mz_rt.execution.pending[step.thread].alternatives))
		return report_contradiction(step);
	mz_rt.execution.schedule[mz_rt.execution.nsteps] = step;
	mz_rt.execution.choice = step.choice;
	return &mz_rt.fibers[step.thread];
}

/* Enables the next thread of the schedule if it spins: the schedule may have been made where spinning threads do not
 * wait. */
static void release_spinner(void)
{
	struct mz_step step = mz_rt.execution.schedule[mz_rt.execution.nsteps];
	if (step.thread < mz_rt.execution.view.nthreads && mz_spin_waits(&mz_rt.fibers[step.thread]))
		mz_spin_release(&mz_rt.fibers[step.thread]);
}

/* Reports a livelock: the execution has as many steps as it may, and threads go on without progress. Livelocks with the
 * same threads in the second half of the execution are the same bug. */
static void report_endless(void)
{
	uint64_t went[MZ_SESSION_THREADS / 64] = {0}, key = 0;
	uint32_t count = 0;
	struct mz_fiber *first = NULL;
	for (uint32_t n = mz_rt.execution.nsteps / 2; n < mz_rt.execution.nsteps; n++) {
		uint32_t t = mz_rt.execution.schedule[n].thread;
		went[t / 64] |= (uint64_t)1 << t % 64;
	}
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		if (!(went[t / 64] >> t % 64 & 1)) continue;
		count++;
		key += mz_mix(t);
		if (!first && mz_rt.fibers[t].state == MZ_FIBER_PENDING) first = &mz_rt.fibers[t];
	}
	struct mz_report report = {.kind = MZ_FINDING_LIVELOCK, .key = key, .place = {.thread = first}};
	if (first) report.place.address = first->caller;
	mz_report(&report, "%u thread%s on without end: %u steps", count, count == 1 ? " goes" : "s go",
	          mz_rt.execution.nsteps);
}

void mz_runtime_restart(void *unused)
{
	(void)unused;
	mz_rt.execution.must_restart_search = false;
	mz_checkpoint_forget();
	mz_race_note_if_learned();
	mz_rt.first_generation = mz_rt.generation + 1;
}

void mz_runtime_begin(void *unused)
{
	(void)unused;
	mz_plugin_open_known();
}

static struct mz_fiber *restart_search(void)
{
	mz_runtime_restart(NULL);
	mz_rt.execution.end = MZ_END_AGAIN;
	return NULL;
}

/* Reports whether the thread is at a branch that other inputs have to take than those of this execution. */
static bool takes_other_inputs(const struct mz_fiber *fiber)
{
	uint8_t decided = mz_rt.execution.pending[fiber->index].decided;
	return decided && decided != mz_rt.execution.choice + 1;
}

/* Ends the execution, to run it again up to this step with inputs that take it. */
static struct mz_fiber *change_inputs(const struct mz_fiber *fiber)
{
	bool promised = mz_rt.execution.nsteps < mz_rt.execution.promised;
	bool found = !promised && mz_path_change_inputs(fiber->index, mz_rt.execution.choice);
	mz_rt.execution.end = found ? MZ_END_INPUTS : MZ_END_DIVERGED;
	return NULL;
}

/* Tells the driver of the branch that inputs cannot be found for, as if it had been taken, and ends the execution. */
MZ_COLD static struct mz_fiber *miss_step(void)
{
	struct mz_step step = mz_rt.execution.schedule[mz_rt.execution.nsteps];
	const struct mz_pending *pending = &mz_rt.execution.pending[step.thread];
	const struct mz_event event = {.thread = step.thread,
	                               .choice = step.choice & ~MZ_STEP_BRANCH,
	                               .alternatives = pending->alternatives,
	                               .op = pending->op,
	                               .condition = pending->condition};
	mz_rt.execution.driver->observe(mz_rt.execution.driver->self, &event);
	return end_missed();
}

/* Returns the fiber to go on with, or NULL when the execution is over. */
static struct mz_fiber *next_fiber(void)
{
	if (MZ_UNLIKELY(!mz_rt.execution.nenabled) && !mz_rt.exit.thread) {
		struct mz_fiber *timer = mz_timers_due();
		if (timer) return timer;
	}
	if (MZ_UNLIKELY(mz_rt.mode.follows_schedule) && mz_rt.execution.nsteps < mz_rt.execution.known)
		release_spinner();
	if (MZ_UNLIKELY(mz_rt.invariants.count) &&
	    (mz_rt.execution.nsteps >= mz_rt.execution.known || mz_rt.mode.follows_schedule)) {
		mz_invariants_check();
		if (mz_invariants_are_new()) return restart_search();
	}
	if (MZ_UNLIKELY(mz_rt.execution.must_restart_search)) return restart_search();
	if (is_over()) return NULL;
	if (mz_rt.execution.nsteps >= mz_rt.execution.max_steps) {
		mz_rt.execution.end = MZ_END_STEPS;
		if (mz_rt.session->configuration.livelocks && !mz_rt.exit.thread)
			report_endless(); /* else the process would have ended */
		return NULL;
	}
	if (MZ_UNLIKELY(!is_as_before())) return report_divergence();
	if (MZ_UNLIKELY(mz_rt.mode.replaying)) mz_record_choice();
	if (MZ_UNLIKELY(mz_rt.execution.misses) && mz_rt.execution.nsteps + 1 == mz_rt.execution.promised)
		return miss_step();
	struct mz_fiber *fiber = mz_rt.execution.nsteps < mz_rt.execution.given ? follow_schedule() : ask_driver();
	if (fiber && MZ_UNLIKELY(takes_other_inputs(fiber))) return change_inputs(fiber);
	if (fiber) mz_rt.execution.view.current = fiber->index;
	mz_rt.execution.in_step = fiber != NULL;
	return fiber;
}

/* Has mz_runtime_run() make the next choice: SELF may have little room on its stack. */
MZ_COLD static void ask_from_home(const struct mz_fiber *self)
{
	bool runs = self->state != MZ_FIBER_STOPPED && self->state != MZ_FIBER_EXITING;
	mz_rt.execution.asking = true;
	if (!mz_rt.seen.leaves_stacks && runs) mz_fiber_notice_stack();
}

/* Switches to the next thread: the running one cannot go on. Returns when it can again. */
static void dispatch(struct mz_fiber *self)
{
	struct mz_fiber *next = mz_rt.execution.ready;
	if (next) {
		mz_rt.execution.ready = next->next;
		if (!mz_rt.execution.ready) mz_rt.execution.ready_tail = &mz_rt.execution.ready;
	} else if (MZ_UNLIKELY(mz_rt.mode.searches_states)) {
		next = NULL;
	} else if (MZ_UNLIKELY(mz_rt.execution.nsteps == mz_rt.execution.store_at)) {
		mz_rt.execution.storing = true; /* mz_runtime_run() does it, all threads being suspended */
		next = NULL;
	} else if (MZ_UNLIKELY(!mz_fiber_is_home(self, __builtin_frame_address(0)))) {
		ask_from_home(self);
		next = NULL;
	} else {
		next = next_fiber();
	}
	if (next != self) {
		mz_switch(self, next);
		if (MZ_UNLIKELY(mz_foreign_count)) mz_foreign_resume(self);
	}
	if (MZ_UNLIKELY(mz_rt.mode.searches_states))
		mz_caller.place = 0; /* what was noted last is the call of another thread */
}

/* ---- what threads do ---- */

/* Checks whether the thread has returned from functions whose frames other threads have accessed. */
MZ_COLD static void look_at_lent(struct mz_fiber *self)
{
	bool known = self->noted.place == self->caller && mz_fiber_is_home(self, (const void *)self->noted.sp);
	if (known && !mz_rt.invariants.evaluating) mz_stacks_returned(self, self->noted.sp, self->caller);
}

/* Waits until the operation may be performed. */
static inline __attribute__((always_inline)) void wait_turn(struct mz_fiber *self, struct mz_operation operation,
                                                            bool enabled, uintptr_t caller)
{
	self->caller = caller;
	if (MZ_UNLIKELY(self->lent.high) && self->lent.low < self->noted.sp) look_at_lent(self);
	if (self->noted.sp < self->frames_from)
		self->frames_from = self->noted.sp; /* others may get to know of these */
	self->naccesses_since = 0;
	set_operation(self, operation);
	mz_set_enabled(self, enabled);
	dispatch(self);
	set_absent(self);
	self->state = MZ_FIBER_RUNNING;
}

/* Reports whether operations need more than the usual work. That work is in functions of its own, so that ordinary
 * operations need little stack. */
static bool is_watched(void)
{
	return mz_rt.invariants.evaluating || mz_rt.mode.searches_states || mz_rt.invariants.count ||
	       mz_rt.execution.section.thread;
}

MZ_NOINLINE static void wait_watched(struct mz_fiber *self, struct mz_operation operation, bool enabled,
                                     uintptr_t caller)
{
	if (mz_rt.invariants.evaluating) {
		mz_invariant_operation(self, (enum mz_op)operation.op, operation.naccesses);
		return;
	}
	if (mz_rt.execution.section.thread) {
		mz_section_visible(self, operation, enabled, caller);
		return;
	}
	self->caller = caller;
	operation.naccesses = mz_rt.way->begin_operation(self, (enum mz_op)operation.op, operation.naccesses);
	wait_turn(self, operation, enabled, caller);
}

void mz_visible_if(struct mz_fiber *self, struct mz_operation operation, bool enabled, uintptr_t caller)
{
	if (MZ_UNLIKELY(is_watched()))
		wait_watched(self, operation, enabled, caller);
	else
		wait_turn(self, operation, enabled, caller);
}

void mz_visible(struct mz_fiber *self, struct mz_operation operation, uintptr_t caller)
{
	if (MZ_UNLIKELY(is_watched()))
		wait_watched(self, operation, true, caller);
	else
		wait_turn(self, operation, true, caller);
}

/* Reports whether the operation is on a synchronization object, rather than on memory. */
static bool is_on_object(enum mz_op op)
{
	switch (op) {
	case MZ_OP_READ:
	case MZ_OP_WRITE:
	case MZ_OP_FREE:
	case MZ_OP_LOAD:
	case MZ_OP_STORE:
	case MZ_OP_UPDATE:
	case MZ_OP_EXCHANGE:
	case MZ_OP_OR:
	case MZ_OP_AND:
	case MZ_OP_RELEASING_EXCHANGE:
	case MZ_OP_RELEASING_OR:
	case MZ_OP_RELEASING_AND:
	case MZ_OP_COMPARE_EXCHANGE:
	case MZ_OP_ALLOCATE: return false;
	default: return true;
	}
}

/* Reports the use of an object on a stack that is gone. */
static bool is_on_gone_stack(struct mz_fiber *self, enum mz_op op, uintptr_t object)
{
	if (object - MZ_LAYOUT_STACKS >= MZ_STACKS_SIZE || mz_fiber_is_home(self, (const void *)object)) return false;
	if (op == MZ_OP_LEAVE || op == MZ_OP_PASS) return false;
	return !mz_stacks_check_object(self, object, self->caller);
}

/* Reports whether the operation needs the object to exist. A condition may be gone when threads that were woken leave
 * it, and a barrier when threads pass it. A lock that is released was acquired, and checked, before. */
static bool needs_object(enum mz_op op)
{
	return op != MZ_OP_LEAVE && op != MZ_OP_PASS && op != MZ_OP_UNLOCK && op != MZ_OP_UNLOCK_SHARED;
}

/* Marks the use of an object in a block: to free the block without knowing of the use is wrong, whichever came first. A
 * thread that was woken no longer needs what it waited at; of a lock that is held, the release will be marked. */
static void mark_use(struct mz_fiber *self, enum mz_op op, uintptr_t object)
{
	bool is_over = op == MZ_OP_LEAVE || op == MZ_OP_END_WAIT || op == MZ_OP_PASS;
	bool goes_on = op == MZ_OP_LOCK || op == MZ_OP_LOCK_SHARED;
	bool is_lock = op != MZ_OP_ACCESS && op != MZ_OP_READ_FILE && op != MZ_OP_WRITE_FILE;
	if (mz_rt.mode.finds_races && is_lock && !is_over && !goes_on && !mz_rt.invariants.evaluating)
		mz_race_access(self, object, 1, MZ_RACE_ATOMIC, self->caller);
}

/* Checks that the object of an operation exists and may be used. To wake the threads at an address is no use of what lies
 * there: the kernel does not look at it, and locks whose memory goes with their last user rely on that. */
static void look_at_object(struct mz_fiber *self, enum mz_op op, uintptr_t object)
{
	if (!is_on_object(op) || op == MZ_OP_FUTEX_WAKE) return;
	if (mz_heap_holds(object)) {
		if (!mz_heap_check_object(self, object, self->caller)) return;
		mark_use(self, op, object);
	}
	if (is_on_gone_stack(self, op, object)) return;
	if (mz_rt.execution.any_destroyed && needs_object(op)) mz_object_used(self, object, self->caller);
}

static inline __attribute__((always_inline)) void check_object(struct mz_fiber *self, struct mz_operation operation)
{
	if (operation.naccesses &&
	    (mz_memory_holds(self->accesses[0].object) || MZ_UNLIKELY(mz_rt.execution.any_destroyed)))
		look_at_object(self, (enum mz_op)operation.op, self->accesses[0].object);
}

/* Tells the driver of a step, unless it knows. */
static inline __attribute__((always_inline)) void observe(struct mz_fiber *self, struct mz_operation operation,
                                                          uint32_t step)
{
	operation.naccesses = mz_invariant_commit(self, operation.naccesses);
	if (step < mz_rt.execution.known) return;
	struct mz_event event = {.thread = self->index,
	                         .choice = mz_rt.execution.choice,
	                         .alternatives = operation.alternatives,
	                         .op = operation.op,
	                         .naccesses = operation.naccesses,
	                         .accesses = self->accesses,
	                         .condition = mz_rt.execution.condition};
	mz_rt.execution.driver->observe(mz_rt.execution.driver->self, &event);
}

/* Commits an operation that is no step of its own. */
MZ_COLD static void commit_within(struct mz_fiber *self, struct mz_operation operation)
{
	if (mz_rt.invariants.evaluating) return;
	check_object(self, operation);
	mz_section_commit(self, operation);
}

void mz_commit(struct mz_fiber *self, struct mz_operation operation)
{
	if (MZ_UNLIKELY(mz_rt.invariants.evaluating || mz_rt.execution.section.thread)) {
		commit_within(self, operation);
		return;
	}
	operation.naccesses = mz_spin_commit(self, (enum mz_op)operation.op, operation.naccesses);
	mz_time_meet(self, operation.naccesses);
	uint32_t step = mz_rt.execution.nsteps++;
	mz_rt.execution.in_step = false;
	mz_rt.session->nsteps = mz_rt.execution.nsteps;
	if (MZ_UNLIKELY(mz_rt.mode.replaying)) mz_record_step(self, operation);
	check_object(self, operation);
	observe(self, operation, step);
}

/* The step was counted and recorded when the section began, so that findings inside have it in their schedules. */
void mz_commit_section(struct mz_fiber *self, uint16_t naccesses)
{
	const struct mz_operation operation = mz_operation(MZ_OP_ATOMIC, naccesses);
	mz_time_meet(self, naccesses);
	mz_rt.execution.choice = 0;
	observe(self, operation, mz_rt.execution.section.step);
}

void mz_commit_failed(struct mz_fiber *self)
{
	const struct mz_pending *pending = &mz_rt.execution.pending[self->index];
	if (!mz_rt.execution.in_step || mz_rt.execution.section.thread) return;
	self->spin.extra = 0; /* they are among those that are pending */
	self->affects_invariants = false;
	for (uint16_t i = 0; i < pending->naccesses; i++) self->accesses[i].before = 0;
	mz_commit(self, mz_operation_of(pending));
}

void mz_order(struct mz_fiber *before, struct mz_fiber *after)
{
	mz_time_order(before, after);
	if (MZ_UNLIKELY(mz_rt.execution.section.thread) && mz_section_order(before, after)) return;
	bool news = mz_rt.execution.nsteps > mz_rt.execution.known || mz_rt.generation == mz_rt.first_generation;
	if (news) mz_rt.execution.driver->order(mz_rt.execution.driver->self, before->index, after->index);
}

void mz_make_ready(struct mz_fiber *fiber)
{
	fiber->next = NULL;
	fiber->state = MZ_FIBER_RUNNING;
	*mz_rt.execution.ready_tail = fiber;
	mz_rt.execution.ready_tail = &fiber->next;
}

MZ_NOINLINE static void suspend_watched(struct mz_fiber *self)
{
	if (mz_rt.invariants.evaluating) mz_invariant_refuse("waits");
	if (mz_rt.execution.section.thread) mz_section_waits(self, self->caller);
	if (mz_rt.way->begin_waiting) mz_rt.way->begin_waiting(self);
}

void mz_suspend(struct mz_fiber *self, enum mz_fiber_state state)
{
	if (MZ_UNLIKELY(is_watched())) suspend_watched(self);
	self->state = state;
	dispatch(self);
	if (self->state == MZ_FIBER_PENDING) set_absent(self);
	self->state = MZ_FIBER_RUNNING;
}

_Noreturn void mz_finish(struct mz_fiber *self, enum mz_fiber_state state)
{
	if (MZ_UNLIKELY(mz_rt.execution.section.thread)) mz_section_leave(self, state);
	self->state = state;
	mz_spin_forget(self);
	if (state == MZ_FIBER_FINISHED && self->joiner) mz_make_ready(self->joiner);
	dispatch(self);
	MZ_BUG("a finished thread was chosen");
}

_Noreturn void mz_end_execution(enum mz_end end)
{
	mz_rt.execution.end = end;
	mz_switch(mz_current, NULL);
	MZ_BUG("an execution that was over went on");
}

_Noreturn void mz_restart_search(void)
{
	restart_search();
	mz_end_execution(MZ_END_AGAIN);
}

/* ---- the end ---- */

/* A deadlock, unless all that are left spin, or wait for the end of one that does. */
static void report_deadlock(void)
{
	uint64_t key = 0;
	uint32_t blocked = 0, spinning = 0, joining = 0;
	struct mz_fiber *first = NULL;
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		struct mz_fiber *fiber = &mz_rt.fibers[t];
		bool waits = mz_rt.execution.pending[t].status == MZ_THREAD_BLOCKED || fiber->state == MZ_FIBER_WAITING;
		bool joins = fiber->state == MZ_FIBER_JOINING || (waits && mz_rt.execution.pending[t].op == MZ_OP_JOIN);
		if (!waits && !joins) continue;
		blocked++;
		joining += joins;
		waits &= !joins;
		spinning += mz_spin_waits(fiber);
		/* deadlocks at the same places are the same bug, whichever threads are there */
		if (waits) key += mz_mix(mz_image_code_id(fiber->caller));
		if (waits && !first) first = fiber;
	}
	bool livelock = spinning && spinning + joining == blocked;
	struct mz_report report = {
	    .kind = livelock ? MZ_FINDING_LIVELOCK : MZ_FINDING_DEADLOCK, .key = key, .place = {.thread = first}};
	if (first) report.place.address = first->caller;
	if (livelock)
		mz_report(&report, "%u thread%s for ever, nobody is left to change what %s", spinning,
		          spinning == 1 ? " spins" : "s spin", spinning == 1 ? "it reads" : "they read");
	else
		mz_report(&report, "%u thread%s blocked, no thread can go on", blocked, blocked == 1 ? " is" : "s are");
	if (mz_rt.mode.replaying) mz_explain_waits();
}

static void report_exit(void)
{
	if (!mz_rt.exit.thread || mz_rt.exit.status == 0) return;
	struct mz_report report = {.kind = MZ_FINDING_EXIT,
	                           .key = mz_hash2((uint64_t)mz_rt.exit.status, mz_rt.exit.words)};
	report.place = (struct mz_place_raw){mz_rt.exit.thread, mz_rt.exit.thread->caller, NULL};
	mz_report(&report, "exit status %d", mz_rt.exit.status);
}

static void report_end(void)
{
	bool left = false, stopped = mz_rt.execution.limited;
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		uint8_t state = mz_rt.fibers[t].state;
		if (state == MZ_FIBER_STOPPED) stopped = true;
		if (state == MZ_FIBER_PENDING || state == MZ_FIBER_WAITING || state == MZ_FIBER_JOINING) left = true;
	}
	mz_rt.execution.end = left && !mz_rt.exit.thread && !stopped ? MZ_END_DEADLOCK : MZ_END_FINISHED;
	if (mz_rt.execution.end == MZ_END_DEADLOCK)
		report_deadlock();
	else
		report_exit();
	if (mz_rt.execution.end != MZ_END_FINISHED || stopped) return;
	if (mz_rt.session->configuration.leaks) mz_leak_report();
	if (mz_rt.session->configuration.thread_leaks) mz_leak_report_threads();
}

/* ---- one execution ---- */

static void run_body(void *argument)
{
	struct mz_fiber *self = argument;
	self->spin.base = __builtin_frame_address(0);
	int status = mz_rt.program.body(mz_rt.program.argument);
	self->function_returned = true;
	if (self->lent.high) mz_stacks_returned(self, UINTPTR_MAX, 0);
	mz_exit_program(self, status, mz_rt.program.exit_handlers ? MZ_EXIT_HANDLERS : MZ_EXIT_NOW, 0);
}

/* Begins a new generation: nothing of an earlier execution counts any more. */
static void renew(void)
{
	mz_rt.generation++;
	mz_section_reset();
	mz_rt.execution.in_step = false;
	mz_rt.execution.asking = false;
	mz_caller.place = 0;
	mz_rt.execution.ready = NULL;
	mz_rt.execution.ready_tail = &mz_rt.execution.ready;
}

/* Starts the execution from the beginning, rather than from a checkpoint. */
static struct mz_fiber *start_from_beginning(void)
{
	mz_parts_reset();
	struct mz_fiber *first = &mz_rt.fibers[0];
	mz_trap_start(first);
	mz_chance_start(first);
	mz_early_start(first);
	mz_fiber_start(first, (void *)run_body, first, MZ_LAYOUT_STACK_DEFAULT);
	if (mz_rt.mode.replaying) mz_record_thread(first, NULL, mz_rt.program.function, 0);
	return first;
}

struct mz_fiber *mz_runtime_start(void)
{
	renew();
	return start_from_beginning();
}

void mz_runtime_note(void)
{
	bool wipes = mz_rt.mode.spinning_waits && (mz_rt.session->learned.loops || mz_rt.mode.follows_schedule);
	mz_caller_reset(mz_rt.mode.searches_states, wipes, mz_rt.mode.spinning_waits, mz_rt.mode.points_all);
}

/* Runs the execution once, from its beginning or from a checkpoint. */
static void run_once(uint32_t known)
{
	renew();
	bool loaded = mz_checkpoint_load(known);
	if (!loaded || MZ_UNLIKELY(mz_rt.session->learned.loops && !mz_caller_wipes())) mz_runtime_note();
	mz_rt.execution.store_at = mz_checkpoint_plan(known);
	struct mz_fiber *next = loaded ? next_fiber() : start_from_beginning();
	while (next) {
		mz_switch(NULL, next);
		mz_current = NULL;
		if (!mz_rt.execution.storing && !mz_rt.execution.asking) break;
		if (mz_rt.execution.storing) {
			mz_checkpoint_store();
			mz_rt.execution.store_at = mz_checkpoint_plan(known);
		}
		mz_rt.execution.storing = mz_rt.execution.asking = false;
		next = next_fiber();
	}
}

/* Reports whether the execution did not get beyond the branch that its inputs were found for. */
static bool is_promise_broken(void)
{
	if (MZ_LIKELY(mz_rt.execution.nsteps >= mz_rt.execution.promised)) return false;
	switch (mz_rt.execution.end) {
	case MZ_END_FINISHED:
	case MZ_END_DEADLOCK:
	case MZ_END_DIVERGED: return true;
	default: return false;
	}
}

/* Runs the execution again, with other inputs: the driver has observed all steps so far, and has chosen the next. States
 * that were stored have the inputs of before. */
static void run_again(void)
{
	uint32_t nsteps = mz_rt.execution.nsteps;
	mz_rt.execution.promised = nsteps + 1;
	mz_checkpoint_forget();
	if (nsteps > mz_rt.execution.known) mz_rt.execution.known = nsteps;
	if (nsteps + 1 > mz_rt.execution.given) mz_rt.execution.given = nsteps + 1;
	run_once(mz_rt.execution.known);
}

/* Runs the execution once more up to the branch that its inputs do not take, with those of before, and ends it there. */
static void give_up_branch(void)
{
	uint32_t depth = mz_rt.execution.promised - 1;
	if (depth < mz_rt.execution.known)
		mz_inputs_refuse_lost(); /* the driver has observed what is behind the branch */
	mz_path_restore_inputs();
	mz_checkpoint_forget();
	mz_rt.execution.misses = true;
	mz_rt.execution.given = depth;
	run_once(depth);
}

/* An execution in which mz_assume() has stopped a thread is dropped, unless something else made an end of it before. */
static enum mz_end end_of_execution(void)
{
	enum mz_end end = mz_rt.execution.end;
	bool whole = end == MZ_END_FINISHED || end == MZ_END_DEADLOCK || end == MZ_END_STEPS;
	if (whole && mz_rt.execution.assumed) return MZ_END_ASSUMED;
	if (whole) mz_inputs_end();
	if (whole) mz_tests_write();
	if (whole && MZ_UNLIKELY(mz_rt.execution.limited)) return MZ_END_LIMITED;
	return end;
}

enum mz_end mz_runtime_run(void *unused, struct mz_step *schedule, uint32_t known, const struct mz_driver *driver,
                           struct mz_view *view)
{
	(void)unused;
	mz_plugin_open_known();
	mz_rt.execution.schedule = schedule;
	mz_rt.execution.known = mz_rt.execution.given = known;
	mz_rt.execution.promised = 0;
	mz_rt.execution.misses = false;
	mz_rt.execution.driver = mz_driver_for(driver);
	run_once(known);
	while (MZ_UNLIKELY(mz_rt.execution.end == MZ_END_INPUTS)) run_again();
	if (MZ_UNLIKELY(is_promise_broken())) give_up_branch();
	mz_unobserved_end();
	*view = mz_rt.execution.view;
	return end_of_execution();
}
