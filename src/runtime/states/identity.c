/* SPDX-License-Identifier: MIT */
#include "runtime/states/identity.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/states/parts.h"

/* What tells states apart of a thread, besides its memory. All bytes count: there is no padding. */
struct thread {
	uint32_t index, nchildren;
	uint32_t joiner, joins; /* thread numbers plus 1; 0 for none */
	uint16_t op, ignores_accesses;
	uint8_t state, detached, joined, c11;
	uint32_t timed_out; /* the wait under way has timed out */
	uint32_t bits;      /* the bits of a futex wait */
	uint64_t before;    /* the number of waiting threads that a wake-up would wake first */
	struct mz_random chance[MZ_CHANCE_STREAMS];
	uint64_t waits_for, mutex;
	uint64_t result;
	uint64_t environment; /* the floating-point environment */
	uint64_t object, naccesses;
	uint64_t nfaults, interrupted_at;
	uint64_t alternate, alternate_size; /* the alternate stack for handlers */
	uint64_t cleanup;                   /* the innermost handler */
	uint64_t requests;                  /* a hash of the requests that it is ready for */
	uint64_t attributes;                /* a hash of those that it was created with */
	char name[16];
	struct mz_call call;
};
_Static_assert(sizeof(struct thread) == 6 * 4 + 8 + 12 * 8 + 8 + 8 + 16 + sizeof(struct mz_call) +
                                            MZ_CHANCE_STREAMS * sizeof(struct mz_random),
               "no padding");

static bool is_over(const struct mz_fiber *fiber)
{
	return fiber->state == MZ_FIBER_FINISHED || fiber->state == MZ_FIBER_STOPPED ||
	       fiber->state == MZ_FIBER_EXITING;
}

static uint32_t number(const struct mz_fiber *fiber)
{
	return fiber ? 1 + fiber->index : 0;
}

static void describe_life(const struct mz_fiber *fiber, struct thread *thread)
{
	thread->index = fiber->index;
	thread->state = fiber->state;
	thread->detached = fiber->detached;
	thread->joined = fiber->joined;
	thread->joiner = fiber->joined ? 0 : number(fiber->joiner);
	bool wanted = fiber->state == MZ_FIBER_FINISHED && !fiber->joined && !fiber->detached;
	thread->result = wanted ? (uintptr_t)fiber->result : 0;
}

static uint64_t place_in_queue(const struct mz_fiber *fiber)
{
	uint64_t before = 0;
	for (const struct mz_fiber *other = fiber->waits.object->queue; other != fiber; other = other->next) before++;
	return before;
}

static uint64_t hash_of_attributes(const struct mz_start *start)
{
	uint64_t hash = mz_hash2(start->stack_high, start->stack_size);
	return mz_hash2(hash, start->guard_size + start->schedules);
}

static void describe_operation(const struct mz_fiber *fiber, struct thread *thread)
{
	const struct mz_pending *pending = &mz_rt.execution.pending[fiber->index];
	thread->c11 = fiber->start.c11;
	thread->nchildren = fiber->counts.children;
	thread->nfaults = fiber->counts.faults;
	thread->interrupted_at = fiber->requests.interrupted_at;
	thread->cleanup = (uintptr_t)fiber->cleanup;
	thread->alternate = (uintptr_t)fiber->alternate.low;
	thread->alternate_size = fiber->alternate.size;
	thread->requests = mz_request_identity(fiber);
	thread->attributes = hash_of_attributes(&fiber->start);
	for (unsigned i = 0; i < sizeof thread->name && (i < 2 || fiber->name[i]); i++)
		thread->name[i] = fiber->name[i];
	thread->ignores_accesses = fiber->ignores_accesses;
	thread->environment = mz_arch_float_of(fiber->sp);
	thread->call = fiber->call;
	for (unsigned stream = 0; stream < MZ_CHANCE_STREAMS; stream++) thread->chance[stream] = fiber->chance[stream];
	thread->waits_for = fiber->waits.object ? fiber->waits.object->address : 0;
	if (fiber->state == MZ_FIBER_JOINING) thread->joins = number(fiber->waits.thread);
	if (fiber->state == MZ_FIBER_PENDING) {
		thread->op = pending->op;
		bool waits = pending->op == MZ_OP_POLL || pending->op == MZ_OP_PASS;
		if (waits && pending->status == MZ_THREAD_ENABLED) thread->op |= 1 << 15;
		thread->naccesses = pending->naccesses;
		thread->object = pending->naccesses ? pending->accesses[0].object : 0;
	}
	if (fiber->waits.mutex) {
		thread->mutex = fiber->waits.mutex->address;
		thread->timed_out = fiber->timed_out;
	}
	if (fiber->waits.object && fiber->waits.object->type == MZ_OBJECT_FUTEX) {
		thread->bits = fiber->waits.bits;
		thread->before = place_in_queue(fiber);
	}
}

/* Returns the low end of the thread's live stack: frames of ours below the noted call do not count. Of a thread that
 * has only to end, nothing counts. */
static const uint8_t *stack_of(const struct mz_fiber *fiber)
{
	bool ends = fiber->state == MZ_FIBER_PENDING && mz_rt.execution.pending[fiber->index].op == MZ_OP_END;
	if (ends) return fiber->spin.base;
	return fiber->call.from.sp && !mz_rt.seen.leaves_stacks ? fiber->call.from.sp : mz_fiber_live(fiber);
}

/* Returns the same number in every process for a word that may point to our objects or to the accesses of an operation,
 * whose addresses differ from process to process; other words are returned as they are. */
static uint64_t named(uint64_t word)
{
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		const struct mz_room *room = &mz_rt.fibers[t].room;
		uint64_t inside = word - (uintptr_t)room->accesses;
		if (inside < room->capacity * sizeof *room->accesses)
			return (uintptr_t)mz_rt.fibers[t].own_accesses + (inside << 48);
	}
	return mz_objects_name(word);
}

/* Returns a copy of a stack with frames of ours on it, in which pointers to what is ours are replaced by names:
 * addresses of ours must not count. */
static const uint8_t *renamed(const uint8_t *stack, size_t size)
{
	static uint8_t *copy;
	static size_t capacity;
	mz_array_require(&copy, &capacity, size);
	MZ_REAL(memcpy)(copy, stack, size);
	for (size_t at = 0; at + 8 <= size; at += 8) {
		uint64_t word;
		MZ_REAL(memcpy)(&word, copy + at, sizeof word);
		word = named(word);
		MZ_REAL(memcpy)(copy + at, &word, sizeof word);
	}
	return copy;
}

static const uint8_t *live_stack(const struct mz_fiber *fiber, size_t *size)
{
	if (is_over(fiber)) {
		*size = 0;
		return NULL;
	}
	const uint8_t *stack = stack_of(fiber);
	*size = (size_t)(fiber->spin.base - stack);
	return MZ_UNLIKELY(fiber->in_handler) ? renamed(stack, *size) : stack;
}

static void describe(const struct mz_fiber *fiber, struct thread *thread)
{
	*thread = (struct thread){0};
	describe_life(fiber, thread);
	if (!is_over(fiber)) describe_operation(fiber, thread);
}

/* ---- as bytes ---- */

static void put_thread(const struct mz_fiber *fiber, struct mz_state *state)
{
	struct thread thread;
	describe(fiber, &thread);
	mz_state_put(state, &thread, sizeof thread);
	if (is_over(fiber)) return;
	size_t size;
	const uint8_t *stack = live_stack(fiber, &size);
	mz_image_thread_identity(fiber, state);
	mz_state_put(state, stack, size);
}

/* Puts what is neither memory nor a thread. */
static void put_rest(struct mz_state *state)
{
	const uint32_t exiting[6] = {number(mz_rt.exit.thread),  (uint32_t)mz_rt.exit.status,
	                             (uint32_t)mz_rt.exit.words, number(mz_rt.exit.beginner),
	                             mz_rt.exit.finalises,       mz_rt.execution.assumed};
	mz_state_put(state, exiting, sizeof exiting);
	mz_parts_identity(state);
}

const void *mz_identity_bytes(size_t *size)
{
	static struct mz_state state;
	state.size = 0;
	mz_protection_lift();
	for (uint32_t t = 0; t < mz_rt.nfibers; t++)
		if (mz_rt.fibers[t].state != MZ_FIBER_UNUSED) put_thread(&mz_rt.fibers[t], &state);
	mz_image_identity(&state);
	mz_heap_identity(&state);
	mz_protection_put_back();
	put_rest(&state);
	*size = state.size;
	return state.bytes;
}

/* ---- hashed ---- */

/* The last hashes of each thread: mostly the thread, or most of a deep stack, is the same again. A stack is hashed in
 * pieces, from its base on, so that a change has only one piece hashed again. */
#define PIECE 4096

struct stack_piece {
	struct mz_key hash;
	uint32_t size;
	uint8_t bytes[PIECE];
};

struct hashed {
	struct stack_piece *pieces;
	size_t npieces, capacity;
};

static struct hashed *hashed_of(const struct mz_fiber *fiber)
{
	static struct hashed *all;
	static size_t count, capacity;
	if (MZ_UNLIKELY(fiber->index >= count)) {
		mz_array_require(&all, &capacity, fiber->index + 1UL);
		while (count <= fiber->index) all[count++] = (struct hashed){0};
	}
	return &all[fiber->index];
}

static void add_key(struct mz_key *sum, struct mz_key more)
{
	sum->low += more.low;
	sum->high += more.high;
}

/* Returns the n-th piece, hashed again if it is new or differs from what it was. */
static const struct stack_piece *hash_piece(struct hashed *hashed, size_t n, const uint8_t *bytes, uint32_t size)
{
	bool is_new = n == hashed->npieces;
	mz_array_require(&hashed->pieces, &hashed->capacity, n + 1);
	hashed->npieces += is_new;
	struct stack_piece *piece = &hashed->pieces[n];
	if (!is_new && piece->size == size && MZ_REAL(memcmp)(piece->bytes, bytes, size) == 0) return piece;
	MZ_REAL(memcpy)(piece->bytes, bytes, size);
	piece->size = size;
	piece->hash = mz_hash_bytes(bytes, size, (struct mz_key){n, size});
	return piece;
}

static struct mz_key hash_stack(struct hashed *hashed, const uint8_t *stack, size_t size)
{
	struct mz_key sum = {0, 0};
	for (size_t n = 0; size > 0; n++) {
		uint32_t part = size < PIECE ? (uint32_t)size : PIECE;
		size -= part;
		add_key(&sum, hash_piece(hashed, n, stack + size, part)->hash);
	}
	return sum;
}

static struct mz_key hash_thread(const struct mz_fiber *fiber)
{
	struct thread thread;
	size_t size;
	const uint8_t *stack = live_stack(fiber, &size);
	describe(fiber, &thread);
	struct mz_key hash = mz_hash_bytes(&thread, sizeof thread, hash_stack(hashed_of(fiber), stack, size));
	return is_over(fiber) ? hash : mz_image_hash_thread(fiber, hash);
}

/* Each summand is hashed together with what identifies it (a thread's number, an address): so the order does not
 * matter, and memory that has not changed need not be hashed again. */
struct mz_key mz_identity_key(struct mz_key shared)
{
	static struct mz_state rest;
	struct mz_key saved = mz_image_saved_sum();
	struct mz_key sum = {shared.low - saved.low, shared.high - saved.high};
	for (uint32_t t = 0; t < mz_rt.nfibers; t++)
		if (mz_rt.fibers[t].state != MZ_FIBER_UNUSED) add_key(&sum, hash_thread(&mz_rt.fibers[t]));
	rest.size = 0;
	put_rest(&rest);
	add_key(&sum, mz_hash_bytes(rest.bytes, rest.size, mz_heap_hash()));
	return mz_hash_end(sum);
}

/* Of a stack only the last piece counts: other changes are seen when whole states are compared. */
uint64_t mz_identity_local(const struct mz_fiber *fiber)
{
	struct thread thread;
	size_t size;
	const uint8_t *stack = live_stack(fiber, &size);
	describe(fiber, &thread);
	struct mz_key hash = mz_hash_bytes(&thread, sizeof thread, (struct mz_key){size, 0});
	hash = mz_hash_bytes(stack, size < PIECE ? size : PIECE, hash);
	return is_over(fiber) ? hash.low : mz_image_hash_thread(fiber, hash).low;
}
