/* SPDX-License-Identifier: MIT
 *
 * Fibers: stacks at fixed addresses, thread pointers lent by parked kernel threads, so that thread-local variables,
 * errno and the C library's own per-thread state are real. A parked thread never runs again once it has given its
 * thread pointer away: it waits with all signals blocked until the process ends.
 */
#include "base/alloc.h"
#include "base/bug.h"
#include "base/chunks.h"
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- thread pointers ---- */

#define BATCH 4 /* parked threads are made by so many, so that their starts are not waited for one by one */

static _Atomic(void *)
    parked[MZ_SESSION_THREADS]; /* thread pointers of parked threads, by the number of the thread that borrows them */
static bool is_made[MZ_SESSION_THREADS / BATCH];

static void *park(void *slot)
{
	atomic_store((_Atomic(void *) *)slot, mz_arch_thread_pointer());
	for (;;) syscall(SYS_pause);
	return NULL;
}

/* Thread-local variables lie at the high end of its stack, and so at an address that depends on its number alone. */
static int park_one(uint32_t number, size_t size, pthread_attr_t *attributes)
{
	pthread_t thread;
	uint8_t *stack = (uint8_t *)MZ_LAYOUT_PARKED + (number + 1) * MZ_LAYOUT_PARKED_SLOT - size;
	void *got = mmap(stack, size, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (got != stack) return ENOMEM;
	pthread_attr_setstack(attributes, stack, size);
	int error = MZ_REAL(pthread_create)(&thread, attributes, park, (void *)&parked[number]);
	if (error) munmap(stack, size);
	return error;
}

static void park_batch(uint32_t batch)
{
	pthread_attr_t attributes;
	sigset_t all, old;
	int failed = 0;
	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (uint32_t number = batch * BATCH; number < (batch + 1) * BATCH; number++) {
		int error = park_one(number, 64 * 1024, &attributes);
		if (error == EINVAL) error = park_one(number, MZ_LAYOUT_PARKED_SLOT, &attributes); /* large variables */
		failed |= error;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attributes);
	if (failed) mz_unsupported("the system gives no more threads");
	is_made[batch] = true;
}

/* Waits until the thread has started. */
static void *thread_pointer_of(uint32_t number)
{
	while (!atomic_load(&parked[number])) syscall(SYS_sched_yield);
	return atomic_load(&parked[number]);
}

static void *borrow_thread_pointer(uint32_t number)
{
	if (!is_made[number / BATCH]) park_batch(number / BATCH);
	return thread_pointer_of(number);
}

void mz_fiber_before_fork(void)
{
	for (uint32_t number = 0; number < MZ_SESSION_THREADS; number++)
		if (is_made[number / BATCH]) thread_pointer_of(number);
}

/* ---- stacks ---- */

/* Makes the stack at least `size` bytes large. It hangs from the high end of its slot, a guard below it. */
static void map_stack(struct mz_fiber *fiber, size_t size)
{
	uint8_t *high = (uint8_t *)MZ_LAYOUT_STACKS + (fiber->index + 1) * MZ_LAYOUT_STACK_SLOT;
	uint8_t *low = high - ((size + 4095) & ~4095UL) - MZ_LAYOUT_STACK_GUARD;
	uint8_t *mapped = fiber->stack_high ? fiber->stack_low - MZ_LAYOUT_STACK_GUARD : high;
	void *got = mmap(low, (size_t)(mapped - low), PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	bool failed = got != low || MZ_REAL(mprotect)(low, MZ_LAYOUT_STACK_GUARD, PROT_NONE) != 0;
	if (mapped != high) failed |= MZ_REAL(mprotect)(mapped, MZ_LAYOUT_STACK_GUARD, PROT_READ | PROT_WRITE) != 0;
	if (failed) mz_unsupported("the system gives no room for the stack of a thread (a limit on address space?)");
	fiber->stack_low = low + MZ_LAYOUT_STACK_GUARD;
	fiber->stack_high = high;
	if (mapped == high) fiber->stack_lowest = fiber->stack_stored = high;
}

/* ---- numbers ---- */

static uint32_t (*number_from)(void *self, struct mz_session_thread who);
static void *number_source;

void mz_fiber_numbers(uint32_t (*number)(void *self, struct mz_session_thread who), void *self)
{
	number_from = number;
	number_source = self;
}

#define TOO_MANY                                                                                                       \
	"its executions have more than 4096 different threads, by who creates which (try fewer with --max-threads)"
_Static_assert(MZ_SESSION_THREADS == 4096 || MZ_SESSION_THREADS == 8, "TOO_MANY says so");

static void skip_number(void)
{
	if (mz_rt.nfibers == MZ_SESSION_THREADS) mz_unsupported(TOO_MANY);
	mz_rt.fibers[mz_rt.nfibers].index = mz_rt.nfibers;
	mz_rt.session->threads[mz_rt.nfibers] = (struct mz_session_thread){MZ_NO_THREAD, 0};
	mz_rt.session->nthreads = mz_rt.execution.view.nthreads = ++mz_rt.nfibers;
}

/* Numbers that others were given, and that nobody here has used yet, are left out for now. */
static uint32_t number_for(struct mz_session_thread who)
{
	uint32_t number = number_from ? number_from(number_source, who) : mz_rt.nfibers;
	if (number >= MZ_SESSION_THREADS) mz_unsupported(TOO_MANY);
	while (mz_rt.nfibers <= number) skip_number();
	mz_rt.session->threads[number] = who;
	return number;
}

struct mz_fiber *mz_fiber_child(struct mz_fiber *parent)
{
	uint32_t n = parent->counts.children++;
	size_t known = parent->numbers.capacity;
	/* to wait takes more stack than is wiped; and those who know the number already must not leave other things behind */
	if (number_from) mz_caller_deepens();
	mz_array_require(&parent->numbers.children, &parent->numbers.capacity, n + 1);
	uint32_t *children = parent->numbers.children;
	for (size_t i = known; i < parent->numbers.capacity; i++) children[i] = MZ_NO_THREAD;
	if (children[n] == MZ_NO_THREAD) children[n] = number_for((struct mz_session_thread){parent->index, n + 1});
	mz_path_born(children[n], parent->index);
	return &mz_rt.fibers[children[n]];
}

void mz_fiber_adopt(const struct mz_session_thread *threads, uint32_t n)
{
	for (uint32_t t = mz_rt.nfibers; t < n; t++) {
		if (threads[t].parent == MZ_NO_THREAD) {
			skip_number();
			continue;
		}
		if (threads[t].parent >= t || threads[t].nth == 0 || threads[t].nth > MZ_SESSION_THREADS)
			mz_unsupported("the trace names impossible threads");
		struct mz_fiber *parent = &mz_rt.fibers[threads[t].parent];
		parent->counts.children = threads[t].nth - 1;
		if (mz_fiber_child(parent)->index != t) mz_unsupported("the trace names a thread twice");
	}
}

struct mz_fiber *mz_thread_from(unsigned long handle)
{
	struct mz_fiber *fiber = (struct mz_fiber *)handle;
	if (handle < (unsigned long)mz_rt.fibers || fiber >= mz_rt.fibers + mz_rt.nfibers) return NULL;
	if ((handle - (unsigned long)mz_rt.fibers) % sizeof *fiber) return NULL;
	return fiber->state == MZ_FIBER_UNUSED ? NULL : fiber;
}

/* ---- life ---- */

static void fiber_main(void *argument)
{
	struct mz_fiber *self = argument;
	errno = 0;
	((void (*)(void *))self->start.entry)(self->start.argument);
	MZ_BUG("a thread returned into nothing");
}

/* Empties the thread's stack, so that it finds nothing there that an earlier thread has left. */
static void wipe(struct mz_fiber *fiber)
{
	uint8_t *sp = fiber->sp, *low = sp - MZ_NOTES_WIPED;
	MZ_REAL(memset)(low, 0, (size_t)(sp - low));
	fiber->stack_lowest = sp;
}

/* The floating-point environment that the thread starts in: its creator's, flags included. That of the first thread may
 * have been changed before main (-ffast-math does so). */
static uint64_t float_for(const struct mz_fiber *fiber)
{
	return fiber->index ? mz_arch_float() : mz_rt.root.floating;
}

void mz_fiber_start(struct mz_fiber *fiber, void *entry, void *argument, size_t stack_size)
{
	stack_size += MZ_LAYOUT_STACK_OURS;
	if (fiber->stack_high - fiber->stack_low < (ptrdiff_t)stack_size) map_stack(fiber, stack_size);
	if (!fiber->thread_pointer) {
		fiber->thread_pointer = fiber->index ? borrow_thread_pointer(fiber->index) : mz_rt.root.thread_pointer;
	}
	fiber->start.entry = entry;
	fiber->start.argument = argument;
	fiber->state = MZ_FIBER_RUNNING;
	mz_image_start_thread(fiber);
	uint8_t *given = (uint8_t *)fiber->start.stack_high;
	fiber->sp = mz_arch_prepare(given ? given : fiber->stack_high, fiber_main, fiber, float_for(fiber));
	if (mz_caller_wipes() && !given) wipe(fiber);
}

static void reset(struct mz_fiber *fiber)
{
	if (fiber->stack_lowest < fiber->stack_high) {
		MZ_REAL(memset)(fiber->stack_lowest, 0, (size_t)(fiber->stack_high - fiber->stack_lowest));
		fiber->stack_lowest = fiber->stack_high;
	}
	fiber->state = MZ_FIBER_UNUSED;
	fiber->detached = fiber->joined = fiber->start.c11 = fiber->is_barrier_serial = false;
	fiber->cleanup = NULL;
	fiber->lends_heap = false;
	fiber->name[0] = fiber->name[1] = 0;
	fiber->requests.cancel_state = PTHREAD_CANCEL_ENABLE;
	fiber->leaving = false;
	fiber->has_checked_requests = false;
	fiber->in_handler = false;
	fiber->requests.blocked = 0;
	fiber->alternate.low = NULL;
	fiber->alternate.size = 0;
	fiber->trap.signal = 0;
	fiber->noted.place = fiber->ended_at = 0;
	fiber->lent.low = fiber->lent.high = 0;
	fiber->nended = 0;
	fiber->frames_from = UINTPTR_MAX;
	fiber->requests.awaited = 0;
	fiber->requests.count_seen = fiber->requests.changes_seen = 0;
	fiber->requests.process_count_seen = fiber->requests.process_changes_seen = 0;
	fiber->requests.taken = (struct mz_signal_info){0};
	fiber->requests.found_too = 0;
	fiber->requests.cancel_type = PTHREAD_CANCEL_DEFERRED;
	fiber->ignores_accesses = 0;
	fiber->counts.children = fiber->counts.channels = fiber->counts.openings = fiber->counts.mapped = 0;
	fiber->function_returned = false;
	fiber->counts.faults = 0;
	fiber->requests.interrupted_at = 0;
	fiber->naccesses_since = fiber->counts.late_yields = 0;
	fiber->time = 0;
	fiber->counts.readings = 0;
	fiber->clock_rounds = 0;
	fiber->signature = 0;
	fiber->joiner = fiber->waits.thread = NULL;
	fiber->waits.object = fiber->waits.mutex = NULL;
	fiber->result = NULL;
	fiber->spin = (struct mz_spin){0};
	fiber->carried.count = 0;
	mz_clock_clear(&fiber->clocks.own);
	mz_clock_clear(&fiber->clocks.released);
	mz_clock_clear(&fiber->clocks.acquired);
	mz_rt.execution.pending[fiber->index].status = MZ_THREAD_ABSENT;
}

void mz_fiber_reset_all(void)
{
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) reset(&mz_rt.fibers[t]);
}

/* ---- checkpoints ---- */

/* What other threads may change of a thread that is over. */
struct stored_end {
	uint8_t members[offsetof(struct mz_fiber, index)];
};

/* A stored thread, followed by its stack, thread-local variables, the counts of its three clocks, and the accesses that
 * are not in the fiber itself. */
struct stored_thread {
	uint8_t members[offsetof(struct mz_fiber, start) - offsetof(struct mz_fiber, sp)];
	struct mz_pending pending;
	uint32_t stack_used;
	uint32_t clocks[3];
};

static size_t many_used(const struct mz_fiber *fiber, const struct mz_pending *pending)
{
	bool many = fiber->state == MZ_FIBER_PENDING && fiber->accesses != fiber->own_accesses;
	return many ? pending->naccesses * sizeof *fiber->accesses : 0;
}

/* Reports whether the thread is over: then it needs neither stack nor variables. */
static bool is_over(const struct mz_fiber *fiber)
{
	return fiber->state == MZ_FIBER_FINISHED || fiber->state == MZ_FIBER_STOPPED;
}

static bool is_alive(const struct mz_fiber *fiber)
{
	return fiber->state != MZ_FIBER_UNUSED && !is_over(fiber);
}

/* Returns the low end of the part of the thread's stack that a state stores: down to the deepest it ever was, so that
 * programs which read uninitialised memory find the same again. Where states share memory it is an address that hardly
 * ever changes, and what is dead counts as zero. */
static uint8_t *stored_from(struct mz_fiber *fiber, const struct mz_state *state)
{
	if (!is_alive(fiber)) return fiber->stack_high;
	if (!state->mirror) return fiber->stack_lowest;
	uint8_t *sp = mz_fiber_live(fiber);
	if (sp < fiber->stack_stored) fiber->stack_stored = (uint8_t *)((uintptr_t)sp & -(uintptr_t)MZ_CHUNK_SIZE);
	return fiber->stack_stored;
}

/* Returns how many of the stored bytes of the stack are dead, where that matters. */
static size_t dead(const struct mz_fiber *fiber, const uint8_t *from, const struct mz_state *state)
{
	if (!state->mirror || from == fiber->stack_high || mz_rt.seen.leaves_stacks) return 0;
	return (size_t)((uint8_t *)fiber->sp - from);
}

static void load_stack(struct mz_fiber *fiber, size_t used, struct mz_state *state)
{
	uint8_t *lowest = fiber->stack_high - used;
	if (!is_over(fiber)) {
		if (fiber->stack_lowest < lowest)
			MZ_REAL(memset)(fiber->stack_lowest, 0, (size_t)(lowest - fiber->stack_lowest));
		fiber->stack_lowest = lowest;
	}
	mz_state_get_memory(state, lowest, used, dead(fiber, lowest, state), false);
}

/* Reports whether a short form is enough for a thread that is over or does not exist yet. Where states do not share
 * memory, one that is loaded is always earlier than the present one: such a thread has not changed since, or will be
 * made anew. */
static bool is_short(const struct mz_fiber *fiber, const struct mz_state *state)
{
	return !state->mirror && !is_alive(fiber);
}

static void store(struct mz_fiber *fiber, struct mz_state *state)
{
	mz_state_put(state, fiber, sizeof(struct stored_end));
	if (is_short(fiber, state)) return;
	uint8_t *from = stored_from(fiber, state);
	size_t used = (size_t)(fiber->stack_high - from);
	struct stored_thread *stored = mz_state_room(state, sizeof *stored);
	MZ_REAL(memcpy)(stored->members, &fiber->sp, sizeof stored->members);
	stored->pending = mz_rt.execution.pending[fiber->index];
	stored->stack_used = (uint32_t)used;
	stored->clocks[0] = fiber->clocks.own.length;
	stored->clocks[1] = fiber->clocks.released.length;
	stored->clocks[2] = fiber->clocks.acquired.length;
	size_t many = many_used(fiber, &stored->pending);
	mz_state_put_memory(state, from, used, dead(fiber, from, state), false);
	mz_image_store_thread(is_alive(fiber) ? fiber : NULL, state);
	mz_clock_store(&fiber->clocks.own, state);
	mz_clock_store(&fiber->clocks.released, state);
	mz_clock_store(&fiber->clocks.acquired, state);
	if (many) mz_state_put(state, fiber->accesses, many);
	if (mz_rt.way->store_thread) mz_rt.way->store_thread(fiber, state);
	mz_state_align(state);
}

static void load(struct mz_fiber *fiber, struct mz_state *state)
{
	bool existed = fiber->state != MZ_FIBER_UNUSED;
	mz_state_get(state, fiber, sizeof(struct stored_end));
	if (is_short(fiber, state)) {
		if (fiber->state == MZ_FIBER_UNUSED && existed) reset(fiber);
		return;
	}
	const struct stored_thread *stored = mz_state_next(state, sizeof *stored);
	MZ_REAL(memcpy)(&fiber->sp, stored->members, sizeof stored->members);
	mz_rt.execution.pending[fiber->index] = stored->pending;
	load_stack(fiber, stored->stack_used, state);
	mz_image_load_thread(is_alive(fiber) ? fiber : NULL, state);
	mz_clock_load(&fiber->clocks.own, stored->clocks[0], state);
	mz_clock_load(&fiber->clocks.released, stored->clocks[1], state);
	mz_clock_load(&fiber->clocks.acquired, stored->clocks[2], state);
	size_t many = many_used(fiber, &stored->pending);
	if (many) mz_state_get(state, fiber->accesses, many);
	if (mz_rt.way->load_thread) mz_rt.way->load_thread(fiber, state);
	mz_state_skip_to_aligned(state);
}

void mz_fiber_store_all(struct mz_state *state)
{
	mz_state_put(state, &mz_rt.nfibers, sizeof mz_rt.nfibers);
	mz_state_align(state);
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) store(&mz_rt.fibers[t], state);
}

void mz_fiber_load_all(struct mz_state *state)
{
	uint32_t nfibers;
	mz_state_get(state, &nfibers, sizeof nfibers);
	mz_state_skip_to_aligned(state);
	for (uint32_t t = 0; t < nfibers; t++) load(&mz_rt.fibers[t], state);
	for (uint32_t t = nfibers; t < mz_rt.nfibers; t++) reset(&mz_rt.fibers[t]);
}

void mz_switch(struct mz_fiber *from, struct mz_fiber *to)
{
	void **save = from ? &from->sp : &mz_rt.root.sp;
	mz_current = to;
	mz_stack = to ? (struct mz_stack){to->stack_low, &to->stack_lowest} : (struct mz_stack){NULL, NULL};
	if (MZ_UNLIKELY(mz_rt.seen.leaves_stacks)) mz_stack.lowest = NULL; /* what is below may be in use */
	mz_arch_set_thread_pointer(to ? to->thread_pointer : mz_rt.root.thread_pointer);
	if (from) {
		uint8_t *lowest = (uint8_t *)mz_arch_stack_pointer() - MZ_ARCH_SWITCH_BYTES;
		if (lowest < from->stack_lowest && mz_fiber_is_home(from, lowest)) from->stack_lowest = lowest;
	}
	mz_arch_switch(save, to ? to->sp : mz_rt.root.sp);
}

/* ---- once ---- */

void mz_fiber_init(void)
{
	size_t fibers = MZ_SESSION_THREADS * sizeof(struct mz_fiber);
	mz_rt.fibers = mmap((void *)MZ_LAYOUT_FIBERS, fibers, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (mz_rt.fibers != (void *)MZ_LAYOUT_FIBERS) mz_unsupported("no room for threads");
}

__attribute__((no_stack_protector)) void mz_runtime_init(void)
{
	mz_arch_fix_guards();    /* the functions that called us never return */
	mallopt(M_ARENA_MAX, 1); /* only one kernel thread ever allocates, whichever thread pointer it has */
	mz_arch_thread_pointer_init();
	mz_rt.root.thread_pointer = mz_arch_thread_pointer();
	mz_rt.root.floating = mz_arch_float();
	mz_rt.execution.pending = mz_alloc(MZ_SESSION_THREADS * sizeof *mz_rt.execution.pending);
	if (!mz_rt.execution.pending) mz_unsupported("out of memory");
	for (uint32_t t = 0; t < MZ_SESSION_THREADS; t++)
		mz_rt.execution.pending[t] = (struct mz_pending){.status = MZ_THREAD_ABSENT, .alternatives = 1};
	mz_rt.execution.view.pending = mz_rt.execution.pending;
	mz_rt.execution.view.is_possible = mz_path_is_possible;
	mz_rt.execution.view.are_possible = mz_path_are_possible;
	mz_rt.execution.view.place_of = mz_path_place_of;
	mz_rt.session->threads[0] = (struct mz_session_thread){MZ_NO_THREAD, 1};
	mz_rt.session->nthreads = mz_rt.execution.view.nthreads = mz_rt.nfibers = 1;
	park_batch(0);
}
