/* SPDX-License-Identifier: MIT
 *
 * Invariants run on a stack of their own, as a thread that is in no view: mz_current is the observer, its plain
 * accesses are noted, and its visible operations return at once.
 */
#include "runtime/watch/invariant.h"
#include "base/hash.h"
#include "base/table.h"
#include "runtime/core/core.h"
#include <errno.h>
#include <sys/mman.h>

#define STACK_SIZE (1UL << 20)

struct invariant {
	int (*holds)(void *);
	void *argument;
	uintptr_t place; /* where it was stated */
	uint64_t thread; /* by whom */
};

/* Of the execution: the invariants that it has stated; mz_rt.invariants.count says how many. */
static struct {
	struct invariant *invariants;
	size_t capacity;
} stated;

/* Lasting: what invariants have read in all executions. The session has the list (`observed` of what was learned), so that
 * all processes that explore have it. */
static struct {
	struct mz_table known; /* the words of the list, to be found */
	bool grown;            /* invariants have read more than ever before, and nobody has asked since */
} observations;

/* Of the evaluation under way, or of the last one; `stack` and the memory of `reads` are lasting. */
static struct {
	struct mz_fiber observer;
	uint8_t *stack;
	void *home;          /* the context that asked for the evaluation */
	size_t at;           /* the invariant that is being evaluated */
	bool failed;         /* the invariant that is being evaluated does not hold */
	const char *refused; /* what the invariant was about to do and must not do, or NULL */
	struct mz_access *reads;
	size_t nreads, reads_capacity;
} evaluation;

/* ---- what is observed ---- */

/* Returns whether there are more words than the list has room for: then any word may be one of them. */
static bool is_full(const struct mz_session_learned *all)
{
	return all->nobserved >= MZ_SESSION_OBSERVED;
}

static bool is_observed(uint64_t word)
{
	return is_full(&mz_rt.session->learned) || mz_table_find(&observations.known, mz_mix(word));
}

static void note_known(uint64_t word)
{
	if (!mz_table_find_or_add(&observations.known, mz_mix(word), 1)) mz_unsupported("out of memory");
}

static void observe(uint64_t word)
{
	struct mz_session_learned *all = &mz_rt.session->learned;
	if (mz_rt.mode.searches_states || is_observed(word)) return;
	note_known(word);
	all->observed[all->nobserved++] = word;
	observations.grown = true;
}

/* Learns the words that other processes have added to the list, which may have them in another order. */
static void learn(void)
{
	const struct mz_session_learned *all = &mz_rt.session->learned;
	if (MZ_LIKELY(observations.known.count == all->nobserved) || is_full(all)) return;
	for (uint32_t n = 0; n < all->nobserved; n++) note_known(all->observed[n]);
}

static bool is_writer(const struct mz_fiber *fiber)
{
	return mz_rt.session->learned.observed_writers[fiber->index];
}

void mz_invariant_written(const struct mz_fiber *self, uintptr_t address, size_t size)
{
	if (is_writer(self)) return;
	for (uintptr_t word = address & ~7UL; word < address + size; word += 8) {
		if (!is_observed(word)) continue;
		mz_rt.session->learned.observed_writers[self->index] = 1;
		observations.grown = true;
		return;
	}
}

/* ---- stating ---- */

void mz_invariants_reset(void)
{
	mz_rt.invariants.count = 0;
	learn();
}

void mz_invariants_store(struct mz_state *state)
{
	uint64_t n = mz_rt.invariants.count;
	mz_state_put(state, &n, sizeof n);
	mz_state_put(state, stated.invariants, n * sizeof *stated.invariants);
}

void mz_invariants_load(struct mz_state *state)
{
	uint64_t n;
	mz_state_get(state, &n, sizeof n);
	mz_state_get(state, stated.invariants, n * sizeof *stated.invariants);
	mz_rt.invariants.count = (uint32_t)n;
}

/* ---- evaluating ---- */

static void note_read(struct mz_access access)
{
	if (evaluation.nreads && evaluation.reads[evaluation.nreads - 1].object == access.object) {
		evaluation.reads[evaluation.nreads - 1].mask |= access.mask;
		return;
	}
	mz_array_require(&evaluation.reads, &evaluation.reads_capacity, evaluation.nreads + 1);
	evaluation.reads[evaluation.nreads++] = access;
	observe(access.object);
}

static void switch_home(void)
{
	void *never;
	mz_arch_switch(&never, evaluation.home);
}

_Noreturn void mz_invariant_refuse(const char *what)
{
	evaluation.refused = what;
	switch_home();
	__builtin_unreachable();
}

static bool is_own(uintptr_t address)
{
	return address - (uintptr_t)evaluation.stack < STACK_SIZE;
}

void mz_invariant_touch(uintptr_t address, size_t size, bool write)
{
	if (is_own(address)) return;
	if (write) mz_invariant_refuse("writes to memory");
	for (uintptr_t word = address & ~7UL; word < address + size; word += 8) {
		unsigned low = word < address ? (unsigned)(address - word) : 0;
		unsigned high = address + size - word < 8 ? (unsigned)(address + size - word) : 8;
		note_read((struct mz_access){
		    .object = word, .mask = (uint8_t)((0xffU >> (8 - high)) & (0xffU << low)), .kind = MZ_READ});
	}
}

void mz_invariant_operation(const struct mz_fiber *self, enum mz_op op, uint16_t naccesses)
{
	if (op != MZ_OP_LOAD && op != MZ_OP_READ) mz_invariant_refuse("does more than to read memory");
	for (uint16_t n = 0; n < naccesses; n++)
		if (!is_own(self->accesses[n].object)) note_read(self->accesses[n]);
}

static void evaluate(void *unused)
{
	(void)unused;
	for (evaluation.at = 0; evaluation.at < mz_rt.invariants.count && !evaluation.failed; evaluation.at++)
		evaluation.failed = !stated.invariants[evaluation.at].holds(stated.invariants[evaluation.at].argument);
	evaluation.at -= evaluation.failed;
	switch_home();
}

_Noreturn void mz_invariant_abort(void)
{
	evaluation.failed = true;
	switch_home();
	__builtin_unreachable();
}

static void make_stack(void)
{
	if (evaluation.stack) return;
	evaluation.stack =
	    mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (evaluation.stack == MAP_FAILED) mz_unsupported("out of memory");
}

static void evaluate_all(void)
{
	struct mz_fiber *running = mz_current;
	int error = errno;
	make_stack();
	evaluation.observer = (struct mz_fiber){.index = running ? running->index : 0, .ignores_accesses = 1};
	evaluation.observer.state = MZ_FIBER_RUNNING;
	evaluation.observer.stack_low = evaluation.stack;
	evaluation.observer.stack_high = evaluation.stack + STACK_SIZE;
	evaluation.failed = false;
	evaluation.refused = NULL;
	evaluation.nreads = 0;
	mz_rt.invariants.evaluating = true;
	mz_current = &evaluation.observer;
	mz_arch_switch(&evaluation.home,
	               mz_arch_prepare(evaluation.stack + STACK_SIZE, evaluate, NULL, mz_rt.root.floating));
	mz_current = running;
	mz_rt.invariants.evaluating = false;
	errno = error;
}

void mz_invariant_add(struct mz_fiber *self, int (*holds)(void *), void *argument, uintptr_t caller)
{
	mz_array_require(&stated.invariants, &stated.capacity, mz_rt.invariants.count + 1);
	stated.invariants[mz_rt.invariants.count++] = (struct invariant){holds, argument, caller, self->index};
	mz_rt.invariants.evaluated = true;
	if (mz_rt.way->evaluates_at_first) evaluate_all();
}

bool mz_invariants_hold(const struct mz_access **read, size_t *count)
{
	*count = 0;
	if (!mz_rt.invariants.count) return true;
	evaluate_all();
	*read = evaluation.reads;
	*count = evaluation.nreads;
	return !evaluation.failed && !evaluation.refused;
}

bool mz_invariants_are_new(void)
{
	bool result = observations.grown && !mz_rt.mode.follows_schedule;
	observations.grown = false;
	return result;
}

void mz_invariants_check(void)
{
	evaluate_all();
	if (!evaluation.failed && !evaluation.refused) return;
	const struct invariant *wrong =
	    &stated.invariants[evaluation.at < mz_rt.invariants.count ? evaluation.at : mz_rt.invariants.count - 1];
	struct mz_report report = {.kind = evaluation.refused ? MZ_FINDING_MISUSE : MZ_FINDING_ASSERTION,
	                           .place = {&mz_rt.fibers[wrong->thread], wrong->place, NULL}};
	mz_report(&report, "an invariant %s", evaluation.refused ? evaluation.refused : "does not hold");
}

/* ---- reduction ---- */

static bool writes_observed(const struct mz_fiber *fiber, uint16_t naccesses)
{
	for (uint16_t n = 0; n < naccesses; n++) {
		const struct mz_access *access = &fiber->accesses[n];
		bool write = access->kind == MZ_WRITE || access->kind == MZ_WEAK_WRITE;
		if (write && !access->only_waited && is_observed(access->object)) return true;
	}
	return false;
}

static void make_room(struct mz_fiber *fiber, uint16_t naccesses)
{
	size_t room = fiber->accesses == fiber->own_accesses ? sizeof fiber->own_accesses / sizeof *fiber->own_accesses
	                                                     : fiber->room.capacity;
	const struct mz_access *old = fiber->accesses;
	if (naccesses < room) return;
	struct mz_access *accesses = mz_accesses_room(fiber, naccesses + 1U);
	if (accesses != old) MZ_REAL(memcpy)(accesses, old, naccesses * sizeof *old);
}

uint16_t mz_invariant_extend(struct mz_fiber *fiber, enum mz_op op, uint16_t naccesses)
{
	enum mz_op_class class = mz_op_class(op);
	bool memory = class == MZ_CLASS_FIXED || class == MZ_CLASS_COMPARE || class == MZ_CLASS_SET ||
	              class == MZ_CLASS_RAISE || class == MZ_CLASS_LOWER;
	fiber->affects_invariants = is_writer(fiber) || (memory && writes_observed(fiber, naccesses));
	if (!fiber->affects_invariants) return naccesses;
	make_room(fiber, naccesses);
	fiber->accesses[naccesses] =
	    (struct mz_access){.object = mz_object_in(MZ_SPACE_INVARIANTS, 0), .mask = 0xff, .kind = MZ_WRITE};
	return (uint16_t)(naccesses + 1);
}

uint16_t mz_invariant_commit(struct mz_fiber *fiber, uint16_t naccesses)
{
	if (!fiber->affects_invariants) return naccesses;
	fiber->affects_invariants = false;
	bool writes = is_writer(fiber) || writes_observed(fiber, naccesses);
	fiber->accesses[naccesses] = (struct mz_access){.object = mz_object_in(MZ_SPACE_INVARIANTS, 0),
	                                                .mask = 0xff,
	                                                .kind = (uint8_t)(writes ? MZ_WRITE : MZ_READ)};
	return (uint16_t)(naccesses + 1);
}
