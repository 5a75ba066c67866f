/* SPDX-License-Identifier: MIT
 *
 * Fibers: stacks at fixed addresses, thread pointers lent by parked kernel threads, so that thread-local variables,
 * errno and the C library's own per-thread state are real. A parked thread never runs again once it has given its
 * thread pointer away: it waits with all signals blocked until the process ends.
 */
#include "base/alloc.h"
#include "base/bug.h"
#include "runtime/arch.h"
#include "runtime/clock.h"
#include "runtime/heap.h"
#include "runtime/image.h"
#include "runtime/layout.h"
#include "runtime/real.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/state.h"
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

#define SPARES 4 /* made at a time, so that their start is not waited for one by one */

static _Atomic(void *) spares[SPARES];
static size_t spares_used = SPARES;

static void *park(void *slot)
{
	atomic_store((_Atomic(void *) *)slot, mz_arch_thread_pointer());
	for (;;) syscall(SYS_pause);
	return NULL;
}

static void make_spares(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, old;
	int failed = 0;
	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, 64 * 1024);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (size_t i = 0; i < SPARES; i++) {
		atomic_store(&spares[i], NULL);
		failed |= MZ_REAL(pthread_create)(&thread, &attributes, park, (void *)&spares[i]);
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attributes);
	if (failed) mz_unsupported("the system gives no more threads");
	spares_used = 0;
}

static void *borrow_thread_pointer(void)
{
	if (spares_used == SPARES) make_spares();
	_Atomic(void *) *slot = &spares[spares_used++];
	while (!atomic_load(slot)) syscall(SYS_sched_yield);
	return atomic_load(slot);
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
	bool failed = got != low || mprotect(low, MZ_LAYOUT_STACK_GUARD, PROT_NONE) != 0;
	if (mapped != high) failed |= mprotect(mapped, MZ_LAYOUT_STACK_GUARD, PROT_READ | PROT_WRITE) != 0;
	if (failed) mz_unsupported("no room for a stack");
	fiber->stack_low = low + MZ_LAYOUT_STACK_GUARD;
	fiber->stack_high = high;
	if (mapped == high) fiber->stack_lowest = high;
}

/* ---- numbers ---- */

static void next_number(struct mz_session_thread who)
{
	if (mz_rt.nfibers == MZ_SESSION_THREADS) mz_unsupported("it has more threads than can be numbered");
	mz_rt.fibers[mz_rt.nfibers].index = mz_rt.nfibers;
	mz_rt.session->threads[mz_rt.nfibers] = who;
	mz_rt.session->nthreads = mz_rt.view.nthreads = ++mz_rt.nfibers;
}

void mz_fiber_skip(void)
{
	next_number((struct mz_session_thread){MZ_NO_THREAD, 0});
}

struct mz_fiber *mz_fiber_child(struct mz_fiber *parent)
{
	uint32_t n = parent->nchildren++;
	size_t known = parent->children_capacity;
	uint32_t *children = mz_grow(parent->children, &parent->children_capacity, n + 1, sizeof *children);
	if (!children) mz_unsupported("out of memory");
	for (size_t i = known; i < parent->children_capacity; i++) children[i] = MZ_NO_THREAD;
	parent->children = children;
	if (children[n] == MZ_NO_THREAD) {
		children[n] = mz_rt.nfibers;
		next_number((struct mz_session_thread){parent->index, n + 1});
	}
	return &mz_rt.fibers[children[n]];
}

/* ---- life ---- */

static void fiber_main(void *argument)
{
	struct mz_fiber *self = argument;
	errno = 0;
	((void (*)(void *))self->entry)(self->argument);
	MZ_BUG("a thread returned into nothing");
}

void mz_fiber_start(struct mz_fiber *fiber, void *entry, void *argument, size_t stack_size)
{
	stack_size += MZ_LAYOUT_STACK_OURS;
	if (fiber->stack_high - fiber->stack_low < (ptrdiff_t)stack_size) map_stack(fiber, stack_size);
	if (!fiber->thread_pointer) {
		fiber->thread_pointer = fiber->index ? borrow_thread_pointer() : mz_rt.root_thread_pointer;
	}
	fiber->entry = entry;
	fiber->argument = argument;
	fiber->state = MZ_FIBER_RUNNING;
	mz_image_start_thread(fiber);
	fiber->sp = mz_arch_prepare(fiber->stack_high, fiber_main, fiber);
}

static void reset(struct mz_fiber *fiber)
{
	if (fiber->stack_lowest < fiber->stack_high) {
		MZ_REAL(memset)(fiber->stack_lowest, 0, (size_t)(fiber->stack_high - fiber->stack_lowest));
		fiber->stack_lowest = fiber->stack_high;
	}
	fiber->state = MZ_FIBER_UNUSED;
	fiber->detached = fiber->joined = fiber->c11 = fiber->serial = false;
	fiber->cleanup = NULL;
	fiber->ignores_accesses = 0;
	fiber->nchildren = 0;
	fiber->quiet = 0;
	fiber->time = 0;
	fiber->readings = 0;
	fiber->rounds = 0;
	fiber->signature = 0;
	fiber->joiner = fiber->joins = NULL;
	fiber->waits_for = NULL;
	fiber->result = NULL;
	fiber->spin = (struct mz_spin){0};
	mz_clock_clear(&fiber->clock);
	mz_clock_clear(&fiber->release_fence);
	mz_clock_clear(&fiber->acquire_pending);
	mz_rt.pending[fiber->index].status = MZ_THREAD_ABSENT;
}

void mz_fiber_reset_all(void)
{
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) reset(&mz_rt.fibers[t]);
}

/* ---- checkpoints ---- */

/* Followed by the stack, the counts of the three clocks, and the accesses that are not in the fiber itself. */
struct stored {
	uint8_t members[offsetof(struct mz_fiber, index)];
	struct mz_pending pending;
	uint32_t stack_used;
	uint32_t clocks[3];
};

static size_t many_used(const struct mz_fiber *fiber, const struct mz_pending *pending)
{
	bool many = fiber->state == MZ_FIBER_PENDING && fiber->accesses != fiber->few;
	return many ? pending->naccesses * sizeof *fiber->accesses : 0;
}

/* The stack of a thread that is over is never written again: as long as a checkpoint is good it stays as it is. */
static bool is_over(const struct mz_fiber *fiber)
{
	return fiber->state == MZ_FIBER_FINISHED || fiber->state == MZ_FIBER_STOPPED;
}

static void load_stack(struct mz_fiber *fiber, size_t used, struct mz_state *state)
{
	uint8_t *lowest = fiber->stack_high - used;
	if (fiber->stack_lowest < lowest)
		MZ_REAL(memset)(fiber->stack_lowest, 0, (size_t)(lowest - fiber->stack_lowest));
	fiber->stack_lowest = lowest;
	mz_state_get(state, lowest, used);
}

static void store(const struct mz_fiber *fiber, struct mz_state *state)
{
	struct stored *stored = mz_state_room(state, sizeof *stored);
	memcpy(stored->members, fiber, sizeof stored->members);
	stored->pending = mz_rt.pending[fiber->index];
	stored->stack_used = (uint32_t)(fiber->stack_high - fiber->stack_lowest);
	stored->clocks[0] = fiber->clock.length;
	stored->clocks[1] = fiber->release_fence.length;
	stored->clocks[2] = fiber->acquire_pending.length;
	size_t many = many_used(fiber, &stored->pending);
	if (!is_over(fiber))
		mz_state_put(state, fiber->stack_lowest, (size_t)(fiber->stack_high - fiber->stack_lowest));
	if (mz_rt.pauses) mz_state_put(state, &fiber->call, sizeof fiber->call);
	if (mz_rt.pauses) mz_state_put(state, &fiber->call_phase, sizeof fiber->call_phase);
	mz_clock_store(&fiber->clock, state);
	mz_clock_store(&fiber->release_fence, state);
	mz_clock_store(&fiber->acquire_pending, state);
	if (many) mz_state_put(state, fiber->accesses, many);
}

static void load(struct mz_fiber *fiber, struct mz_state *state)
{
	const struct stored *stored = mz_state_next(state, sizeof *stored);
	memcpy(fiber, stored->members, sizeof stored->members);
	mz_rt.pending[fiber->index] = stored->pending;
	if (!is_over(fiber)) load_stack(fiber, stored->stack_used, state);
	if (mz_rt.pauses) mz_state_get(state, &fiber->call, sizeof fiber->call);
	if (mz_rt.pauses) mz_state_get(state, &fiber->call_phase, sizeof fiber->call_phase);
	mz_clock_load(&fiber->clock, stored->clocks[0], state);
	mz_clock_load(&fiber->release_fence, stored->clocks[1], state);
	mz_clock_load(&fiber->acquire_pending, stored->clocks[2], state);
	size_t many = many_used(fiber, &stored->pending);
	if (many) mz_state_get(state, fiber->accesses, many);
}

void mz_fiber_store_all(struct mz_state *state)
{
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) store(&mz_rt.fibers[t], state);
}

void mz_fiber_load_all(struct mz_state *state, uint32_t nfibers)
{
	for (uint32_t t = 0; t < nfibers; t++) load(&mz_rt.fibers[t], state);
	for (uint32_t t = nfibers; t < mz_rt.nfibers; t++) reset(&mz_rt.fibers[t]);
}

/* More than what a switch leaves on the stack below its caller. */
#define SWITCH_FRAME 160

void mz_switch(struct mz_fiber *from, struct mz_fiber *to)
{
	void **save = from ? &from->sp : &mz_rt.root_sp;
	mz_current = to;
	mz_arch_set_thread_pointer(to ? to->thread_pointer : mz_rt.root_thread_pointer);
	if (from) {
		uint8_t *here = __builtin_frame_address(0);
		if (here - SWITCH_FRAME < from->stack_lowest) from->stack_lowest = here - SWITCH_FRAME;
	}
	mz_arch_switch(save, to ? to->sp : mz_rt.root_sp);
}

/* ---- once ---- */

void mz_fiber_init(void)
{
	size_t fibers = MZ_SESSION_THREADS * sizeof(struct mz_fiber);
	mz_rt.fibers = mmap((void *)MZ_LAYOUT_FIBERS, fibers, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (mz_rt.fibers != (void *)MZ_LAYOUT_FIBERS) mz_unsupported("no room for threads");
}

void mz_runtime_init(void)
{
	mallopt(M_ARENA_MAX, 1); /* there is one kernel thread that allocates, whatever thread it seems to be */
	mz_arch_thread_pointer_init();
	mz_rt.root_thread_pointer = mz_arch_thread_pointer();
	mz_rt.pending = mz_alloc(MZ_SESSION_THREADS * sizeof *mz_rt.pending);
	if (!mz_rt.pending) mz_unsupported("out of memory");
	for (uint32_t t = 0; t < MZ_SESSION_THREADS; t++)
		mz_rt.pending[t] = (struct mz_pending){.status = MZ_THREAD_ABSENT, .alternatives = 1};
	mz_rt.view.pending = mz_rt.pending;
	mz_rt.session->threads[0] = (struct mz_session_thread){MZ_NO_THREAD, 1};
	mz_rt.session->nthreads = mz_rt.view.nthreads = mz_rt.nfibers = 1;
	make_spares();
}
