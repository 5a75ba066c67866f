/* SPDX-License-Identifier: MIT
 *
 * While mz_rt.mode.searches_states, whoever gets to a choice switches to the explorer's own context, where everything
 * here runs: no thread's stack has anything of it. A thread is let go by switching to it; it executes its operation,
 * goes on to its next one, and pauses. What else gets going in its step (threads that it creates, or that wait for its
 * end) does so before it pauses.
 *
 * Data races and spinning threads are not looked for meanwhile. Findings are only counted: the execution that shows one
 * is an ordinary one, that follows a schedule (witness).
 */
#include "runtime/states/stateful.h"
#include "runtime/core/core.h"
#include "runtime/objects/objects.h"
#include "runtime/states/identity.h"
#include "runtime/states/parts.h"
#include "runtime/watch/watch.h"

static bool has_shared; /* the mirror has globals and heaps as they are, and `state` what belongs to them */

/* ---- steps ---- */

/* The step under way. */
static struct mz_event event;
static struct mz_access *accesses; /* a copy of the event's accesses, which the thread overwrites later */
static size_t accesses_capacity;
static bool met;   /* the step has changed another thread */
static bool found; /* the step has a finding, or ends the process with a non-zero status */

static struct mz_access *room_for(size_t n)
{
	mz_array_require(&accesses, &accesses_capacity, n);
	return accesses;
}

static void observe(void *self, const struct mz_event *observed)
{
	(void)self;
	room_for(observed->naccesses + 1U);
	for (uint16_t i = 0; i < observed->naccesses; i++) accesses[i] = observed->accesses[i];
	event = *observed;
}

static void order(void *self, uint32_t before, uint32_t after)
{
	(void)self, (void)before;
	if (after != event.thread) met = true;
}

static struct mz_step choose_none(void *self, const struct mz_view *view)
{
	(void)self, (void)view;
	return (struct mz_step){MZ_NO_THREAD, 0};
}

static const struct mz_driver driver = {NULL, choose_none, observe, order};

/* The end of a thread as an object: its last step writes it, a join reads it. No memory of the program is there. */
static struct mz_access end_of(const struct mz_fiber *fiber, enum mz_access_kind kind)
{
	return (struct mz_access){
	    .object = mz_object_inside(fiber, MZ_INSIDE_THREAD_END), .mask = 0xff, .kind = (uint8_t)kind};
}

/* Runs until all threads are suspended at a choice. */
static void go_on(struct mz_fiber *fiber)
{
	mz_switch(NULL, fiber);
	mz_current = NULL;
}

/* Judges the step under way by its findings. Where the search goes on after bugs, the next step is judged by itself. */
static void judge(const struct mz_fiber *exiting)
{
	found = mz_rt.execution.nfindings || (mz_rt.exit.thread != exiting && mz_rt.exit.status);
	if (mz_rt.session->configuration.keep_going) mz_rt.execution.nfindings = 0;
}

/* Has a timer go on that waits until no thread can. */
static void wake_timer(void)
{
	struct mz_fiber *timer = mz_rt.execution.nenabled || mz_rt.exit.thread ? NULL : mz_timers_due();
	if (!timer) return;
	met = true;
	go_on(timer);
}

static void step(struct mz_fiber *fiber, uint32_t choice)
{
	const struct mz_fiber *exiting = mz_rt.exit.thread;
	has_shared = false;
	met = false;
	mz_rt.invariants.evaluated = false;
	event.thread = fiber->index;
	mz_touched_begin(fiber);
	mz_rt.execution.choice = choice;
	mz_rt.execution.view.current = fiber->index;
	mz_rt.execution.in_step = true;
	go_on(fiber);
	wake_timer();
	mz_rt.execution.nsteps = 0; /* a state does not know how long it took to get there */
	if (fiber->state == MZ_FIBER_FINISHED) accesses[event.naccesses++] = end_of(fiber, MZ_WRITE);
	event.accesses = accesses;
	judge(exiting);
}

static bool is_plain(uint16_t op)
{
	return op == MZ_OP_READ || op == MZ_OP_WRITE || op == MZ_OP_FREE;
}

static bool any_changes(const struct mz_fiber *fiber, const struct mz_access *first, size_t count)
{
	for (const struct mz_access *access = first; access < first + count; access++) {
		bool own =
		    access->object - (uintptr_t)fiber->stack_low < (size_t)(fiber->stack_high - fiber->stack_low);
		uint8_t kind = mz_access_really(access);
		if ((kind == MZ_WRITE || kind == MZ_WEAK_WRITE) && !own) return true;
	}
	return false;
}

/* Shows the n-th step to the watcher. Returns whether the watcher wants to go on. */
static bool show_step(const struct mz_fiber *fiber, uint32_t n, const struct mz_watcher *watcher)
{
	struct mz_stride stride = {
	    .event = event, .races = is_plain(event.op), .ends = mz_rt.exit.thread || mz_rt.execution.assumed};
	stride.plain = mz_touched(&stride.nplain);
	stride.changes =
	    any_changes(fiber, event.accesses, event.naccesses) || any_changes(fiber, stride.plain, stride.nplain);
	if (n > watcher->unasked) stride.local = mz_identity_local(fiber);
	return watcher->step(watcher->self, &stride);
}

/* ---- how threads stand ---- */

static enum mz_halt halt_blocked(struct mz_access waits[MZ_WAITS_MAX], uint16_t *nwaits, struct mz_access access)
{
	waits[0] = access;
	*nwaits = 1;
	return MZ_HALT_BLOCKED;
}

static struct mz_access read_of(uint64_t object)
{
	return (struct mz_access){.object = object, .mask = 0xff, .kind = MZ_READ};
}

static enum mz_halt waits_for_all(const struct mz_pending *pending, struct mz_access waits[MZ_WAITS_MAX],
                                  uint16_t *nwaits)
{
	if (pending->naccesses > MZ_WAITS_MAX)
		mz_unsupported("a thread waits for too much at once for a search of states");
	for (uint16_t i = 0; i < pending->naccesses; i++) waits[i] = read_of(pending->accesses[i].object);
	*nwaits = pending->naccesses;
	return MZ_HALT_BLOCKED;
}

static enum mz_halt thread_halt(void *self, uint32_t thread, struct mz_access waits[MZ_WAITS_MAX], uint16_t *nwaits)
{
	(void)self;
	const struct mz_fiber *fiber = &mz_rt.fibers[thread];
	const struct mz_pending *pending = &mz_rt.execution.pending[thread];
	*nwaits = 0;
	switch (fiber->state) {
	case MZ_FIBER_JOINING: return halt_blocked(waits, nwaits, end_of(fiber->waits.thread, MZ_READ));
	case MZ_FIBER_WAITING: return halt_blocked(waits, nwaits, read_of(fiber->waits.object->address));
	case MZ_FIBER_PENDING: break;
	default: return MZ_HALT_OVER;
	}
	if (pending->status == MZ_THREAD_BLOCKED && (fiber->requests.awaited || pending->op == MZ_OP_POLL))
		return waits_for_all(pending, waits, nwaits);
	/* the accesses behind the first come once the thread can go on */
	if (pending->status == MZ_THREAD_BLOCKED)
		return halt_blocked(waits, nwaits, read_of(pending->accesses[0].object));
	if (pending->op == MZ_OP_SIGNAL) mz_model_refresh();
	return pending->alternatives > 1 ? MZ_HALT_CHOICE : MZ_HALT_ENOUGH;
}

static const struct mz_view *view(void *self)
{
	(void)self;
	if (mz_rt.execution.nsignalling) mz_model_refresh();
	return &mz_rt.execution.view;
}

static enum mz_halt run_thread(void *self, uint32_t thread, uint32_t choice, uint32_t most,
                               const struct mz_watcher *watcher)
{
	static uint32_t counted; /* the supervisor sees that there is progress */
	struct mz_fiber *fiber = &mz_rt.fibers[thread];
	struct mz_access waits[MZ_WAITS_MAX];
	uint16_t nwaits;
	if (mz_rt.execution.pending[thread].status != MZ_THREAD_ENABLED)
		return thread_halt(self, thread, waits, &nwaits);
	for (uint32_t n = 1;; n++, choice = 0) {
		step(fiber, choice);
		mz_rt.session->nsteps = ++counted;
		bool more = show_step(fiber, n, watcher);
		if (found) return MZ_HALT_FOUND;
		if (met || mz_rt.invariants.evaluated)
			return MZ_HALT_MET; /* the step changed another thread, or added an invariant */
		enum mz_halt halt = thread_halt(self, thread, waits, &nwaits);
		if (halt != MZ_HALT_ENOUGH || !more || n == most) return halt;
	}
}

/* ---- beginning ---- */

/* Sets the mode of a search: threads pause at every choice, and neither races nor spinning are looked for. */
static void set_search_mode(void)
{
	mz_rt.mode.searches_states = true;
	mz_rt.way = &mz_way_of_states;
	mz_rt.mode.follows_schedule = false;
	mz_rt.mode.finds_races = mz_rt.mode.notes_races = mz_rt.mode.spinning_waits = false;
	mz_rt.execution.driver = &driver;
	mz_rt.execution.schedule = mz_rt.session->schedule;
	mz_rt.execution.known = 0;
	mz_runtime_note();
}

/* Chooses the next enabled thread after the current one, in turn; none once a thread has asked for the end of the
 * process. */
static struct mz_step choose_next(void *self, const struct mz_view *view)
{
	(void)self;
	if (mz_rt.exit.thread) return (struct mz_step){MZ_NO_THREAD, 0};
	for (uint32_t n = 1; n <= view->nthreads; n++) {
		uint32_t thread = (view->current + n) % view->nthreads;
		if (view->pending[thread].status == MZ_THREAD_ENABLED) return (struct mz_step){thread, 0};
	}
	return (struct mz_step){MZ_NO_THREAD, 0};
}

static bool holds(void *self, const struct mz_access **reads, size_t *nreads)
{
	(void)self;
	return mz_invariants_hold(reads, nreads);
}

static bool witness(void *self, const struct mz_step *schedule, uint32_t steps, bool on)
{
	const struct mz_driver follower = {NULL, on ? choose_next : choose_none, observe, order};
	struct mz_view unused;
	uint32_t fit = steps < mz_rt.session->configuration.max_steps ? steps : mz_rt.session->configuration.max_steps;
	mz_rt.mode.searches_states = false;
	mz_rt.way = &mz_way_of_executions;
	mz_rt.mode.follows_schedule = true;
	mz_rt.mode.finds_races = mz_rt.session->configuration.races;
	mz_rt.mode.spinning_waits = mz_rt.session->configuration.spins;
	mz_runtime_note();
	for (uint32_t n = 0; n < fit; n++) mz_rt.session->schedule[n] = schedule[n];
	mz_runtime_run(self, mz_rt.session->schedule, fit, &follower, &unused);
	bool shown = mz_rt.execution.nfindings > 0;
	set_search_mode();
	return shown;
}

/* Checks what threads do before their first operation, which is no step, by an ordinary execution that goes just so
 * far. Returns false if that has shown a bug. */
static bool is_right_before_first(void *self)
{
	static bool looked;
	if (looked) return true;
	looked = true;
	witness(self, NULL, 0, false);
	return !(mz_rt.session->nfindings && mz_rt.mode.stop_at_finding);
}

static bool begin_search(void *self)
{
	if (!is_right_before_first(self)) return false;
	set_search_mode();
	has_shared = false;
	mz_touched_begin(NULL);
	go_on(mz_runtime_start());
	wake_timer();
	judge(NULL);
	return mz_rt.execution.nenabled && (!found || mz_rt.session->configuration.keep_going);
}

/* ---- states ---- */

static struct mz_state state;

static void mirror_shared(void)
{
	if (has_shared) return;
	state.mirror = mz_mirror();
	mz_parts_store_shared(&state);
	has_shared = true;
}

static uint32_t keep_state(void *self)
{
	(void)self;
	size_t most = mz_rt.session->configuration.max_memory ? mz_rt.session->configuration.max_memory : SIZE_MAX;
	mirror_shared();
	mz_parts_store_rest(&state);
	has_shared = false;
	return mz_mirror_keep(state.mirror, state.bytes, state.size, most);
}

static void load_state(void *self, uint32_t handle)
{
	(void)self;
	struct mz_mirror *mirror = mz_mirror();
	struct mz_state kept = {.bytes = (uint8_t *)mz_mirror_open(mirror, handle), .mirror = mirror};
	mz_objects_forget();
	mz_parts_load(&kept);
	has_shared = false;
}

static void drop_state(void *self, uint32_t handle)
{
	(void)self;
	mz_mirror_drop(mz_mirror(), handle);
}

static struct mz_key key(void *self)
{
	(void)self;
	mirror_shared();
	return mz_identity_key(mz_mirror_sum(state.mirror));
}

static const void *bytes(void *self, size_t *size)
{
	(void)self;
	return mz_identity_bytes(size);
}

static bool is_dropped(void *self)
{
	(void)self;
	return mz_rt.execution.assumed;
}

static bool is_ending(void *self)
{
	(void)self;
	return mz_rt.exit.thread != NULL;
}

static bool is_timed(void *self)
{
	(void)self;
	return mz_timers_any_waits();
}

const struct mz_stateful *mz_runtime_stateful(void)
{
	static struct mz_stateful program = {.begin = begin_search,
	                                     .view = view,
	                                     .thread_halt = thread_halt,
	                                     .run_thread = run_thread,
	                                     .is_dropped = is_dropped,
	                                     .is_ending = is_ending,
	                                     .is_timed = is_timed,
	                                     .holds = holds,
	                                     .keep_state = keep_state,
	                                     .load_state = load_state,
	                                     .drop_state = drop_state,
	                                     .key = key,
	                                     .bytes = bytes,
	                                     .witness = witness};
	program.goes_on = mz_rt.session->configuration.keep_going;
	return &program;
}
