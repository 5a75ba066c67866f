/* SPDX-License-Identifier: MIT */
#include "runtime/watch/access.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/invariant.h"
#include "runtime/watch/race.h"
#include "runtime/watch/record.h"
#include "runtime/watch/section.h"
#include "runtime/watch/spin.h"
#include "runtime/watch/unseen.h"
#include "session/progress.h"
#include <string.h>

/* A longer range is several events: nothing promises that it happens at once. */
#define CHUNK (32 * 1024UL)

uint16_t mz_words_many(struct mz_fiber *self, uintptr_t address, size_t size, enum mz_access_kind kind)
{
	uintptr_t first = address & ~7UL, end = address + size;
	size_t n = (end - first + 7) / 8;
	if (MZ_UNLIKELY(mz_rt.mode.checks_signals)) mz_request_before(self);
	struct mz_access *accesses = mz_accesses_room(self, n);
	for (size_t i = 0; i < n; i++) {
		uintptr_t word = first + i * 8;
		unsigned low = word < address ? (unsigned)(address - word) : 0;
		unsigned high = end - word < 8 ? (unsigned)(end - word) : 8;
		accesses[i] = (struct mz_access){
		    .object = word, .mask = (uint8_t)((0xffU >> (8 - high)) & (0xffU << low)), .kind = (uint8_t)kind};
	}
	return (uint16_t)n;
}

void mz_yield_now(struct mz_fiber *self, uintptr_t caller)
{
	mz_accesses(self);
	const struct mz_operation operation = mz_operation(MZ_OP_YIELD, 0);
	mz_visible(self, operation, caller);
	if (mz_rt.exit.thread) self->counts.late_yields++;
	mz_commit(self, operation);
}

/* Records the value that an access reads; what a plain write will write is not known. */
MZ_COLD static void record_value(uintptr_t address, size_t size, bool write)
{
	uint64_t value = 0;
	bool fits = !write && size <= sizeof value;
	if (fits) MZ_REAL(memcpy)(&value, (const void *)address, size);
	mz_record_value(address, size, fits, value);
}

static void visible_chunk(struct mz_fiber *self, enum mz_op op, uintptr_t address, size_t size, uintptr_t caller)
{
	bool write = op != MZ_OP_READ;
	if (mz_caller.place == caller) mz_called(self, caller, (uintptr_t)mz_caller.sp);
	uint16_t n = mz_words(self, address, size, write ? MZ_WRITE : MZ_READ);
	const struct mz_operation operation = mz_operation(op, n);
	if (write)
		mz_visible(self, operation, caller);
	else
		mz_spin_visible(self, operation, size, caller);
	mz_words_before(self, n);
	if (MZ_UNLIKELY(mz_rt.mode.replaying)) record_value(address, size, write);
	mz_commit(self, operation);
}

MZ_NOINLINE static void visible(struct mz_fiber *self, enum mz_op op, uintptr_t address, size_t size, uintptr_t caller)
{
	for (; size > CHUNK; address += CHUNK, size -= CHUNK) visible_chunk(self, op, address, CHUNK, caller);
	visible_chunk(self, op, address, size, caller);
}

void mz_plain_free(struct mz_fiber *self, uintptr_t address, size_t size, uintptr_t caller)
{
	if (mz_rt.mode.points_all && size)
		visible(self, MZ_OP_FREE, address, size, caller);
	else if (MZ_UNLIKELY(mz_rt.execution.section.thread))
		mz_section_touch(self, address, size, true, caller);
}

/* Checks a volatile access, which is about to be made, for unseen writes before it; what the access will write is not
 * known. */
static void look_for_unseen(uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	if (!mz_rt.mode.finds_races || size > 8) return;
	struct mz_object *object = mz_object_find(address);
	mz_unseen_read(object, size, mz_unseen_number((const void *)address, size), caller);
	if (write) mz_unseen_forget(object, size);
}

/* Makes the checks for an access that is about to be made. `seen`: the access is a visible operation. */
static inline __attribute__((always_inline)) void look_at(struct mz_fiber *self, uintptr_t address, size_t size,
                                                          bool write, bool seen, uintptr_t caller)
{
	bool within = MZ_UNLIKELY(mz_rt.execution.section.thread != NULL);
	if (write && !seen && !within && MZ_UNLIKELY(mz_rt.invariants.count) && !mz_rt.mode.searches_states)
		mz_invariant_written(self, address, size);
	mz_memory_check(self, address, size, write, caller);
	if (within && !seen) mz_section_touch(self, address, size, write, caller);
	if (mz_rt.mode.finds_races || !seen) mz_race_access(self, address, size, write ? MZ_RACE_WRITE : 0, caller);
}

void mz_plain_begin(struct mz_fiber *self, uintptr_t address, size_t size, uintptr_t caller)
{
	mz_spin_forget(self);
	if (MZ_UNLIKELY(mz_caller_wipes())) mz_foreign_write(self, address, size);
	if (self->ignores_accesses) return;
	if (mz_rt.mode.points_all) visible(self, MZ_OP_WRITE, address, size, caller);
	if (address >= MZ_LAYOUT_STACKS)
		mz_memory_check(self, address, size, true, caller); /* memory that is gone may be the runtime's */
}

void mz_plain_end(struct mz_fiber *self, uintptr_t address, size_t size, uintptr_t caller)
{
	if (self->ignores_accesses)
		mz_unseen_ignore();
	else
		look_at(self, address, size, true, mz_rt.mode.points_all, caller);
	if (MZ_UNLIKELY(__mz_sym_active)) mz_follow(address, size, MZ_FOLLOW_WRITE, caller);
}

void mz_plain_result(struct mz_fiber *self, void *place, const void *value, size_t size, uintptr_t caller)
{
	if (!place) return;
	if (self->ignores_accesses)
		mz_unseen_ignore();
	else
		look_at(self, (uintptr_t)place, size, true, false, caller);
	if (MZ_UNLIKELY(__mz_sym_active)) mz_follow((uintptr_t)place, size, MZ_FOLLOW_WRITE, caller);
	if (MZ_REAL(memcmp)(place, value, size) == 0)
		return; /* writing the same value again does not end a thread's spinning */
	mz_spin_write(self, (uintptr_t)place, size);
	MZ_REAL(memcpy)(place, value, size);
}

static void pass_by(uintptr_t address, size_t size, bool write)
{
	if (mz_rt.invariants.evaluating)
		mz_invariant_touch(address, size, write);
	else if (write && size)
		mz_unseen_ignore();
}

/* The thread has made many plain accesses and nothing else. */
MZ_COLD static void be_quiet(struct mz_fiber *self, uintptr_t caller)
{
	if (mz_rt.execution.section.thread) mz_section_endless(self, caller);
	mz_progress_idle(mz_rt.session);
	mz_yield_now(self, caller);
}

/* Handles a plain access that needs more than the check for races. */
MZ_NOINLINE static void plain_slowly(struct mz_fiber *self, uintptr_t address, size_t size, bool write,
                                     uintptr_t caller)
{
	if (self->ignores_accesses || !size) {
		pass_by(address, size, write);
		return;
	}
	if (mz_rt.mode.points_all)
		visible(self, write ? MZ_OP_WRITE : MZ_OP_READ, address, size, caller);
	else if (++self->naccesses_since >= MZ_QUIET_MAX)
		be_quiet(self, caller);
	look_at(self, address, size, write, mz_rt.mode.points_all, caller);
}

/* Reports whether an access needs more than the fast path: asked for every access. */
static inline __attribute__((always_inline)) bool is_slow(const struct mz_fiber *self, uintptr_t address, size_t size,
                                                          bool write)
{
	return self->ignores_accesses || !size || self->naccesses_since + 1 >= MZ_QUIET_MAX ||
	       (write && mz_rt.invariants.count) || !mz_memory_allows(self, address, size);
}

static inline __attribute__((always_inline)) void plain_fast(struct mz_fiber *self, uintptr_t address, size_t size,
                                                             bool write, uintptr_t caller)
{
	self->naccesses_since++;
	mz_race_access(self, address, size, write ? MZ_RACE_WRITE : 0, caller);
}

/* Notes, where stacks are compared, that a thread writes to another's stack, or accesses what others wrote to its
 * own. */
MZ_NOINLINE static void meet_foreign(struct mz_fiber *self, uintptr_t address, size_t size, bool write)
{
	if (write && !mz_spin_owns(self, address)) mz_foreign_write(self, address, size);
	if (mz_foreign_count) mz_foreign_know(self, address, size);
}

/* Tells of an access to memory that may have shadows. */
static void follow(uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	if (MZ_UNLIKELY(__mz_sym_active) && size)
		mz_follow(address, size, write ? MZ_FOLLOW_WRITE : MZ_FOLLOW_READ, caller);
}

/* Handles a plain access where stacks are compared, all accesses are visible, or memory has shadows. It leaves as little
 * as possible on the stack. */
MZ_NOINLINE static void plain_with_more(struct mz_fiber *self, uintptr_t address, size_t size, bool write,
                                        uintptr_t caller)
{
	if (mz_caller_wipes()) meet_foreign(self, address, size, write);
	if (mz_rt.mode.points_all || mz_rt.execution.section.thread || is_slow(self, address, size, write))
		plain_slowly(self, address, size, write, caller);
	else
		plain_fast(self, address, size, write, caller);
	follow(address, size, write, caller);
}

void mz_plain(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	if (write && !mz_spin_owns(self, address)) mz_spin_forget(self);
	if (MZ_UNLIKELY(mz_plain_is_more))
		plain_with_more(self, address, size, write, caller);
	else if (MZ_UNLIKELY(is_slow(self, address, size, write)))
		plain_slowly(self, address, size, write, caller);
	else
		plain_fast(self, address, size, write, caller);
}

void mz_plain_output(struct mz_fiber *self, uintptr_t address, size_t size, int fd, uintptr_t caller)
{
	mz_plain(self, address, size, false, caller);
	if (MZ_UNLIKELY(__mz_sym_active)) mz_follow_output(fd);
}

/* Treats a volatile access as atomic, of relaxed order. */
static void look_at_volatile(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	mz_memory_check(self, address, size, write, caller);
	if (!mz_rt.mode.finds_races) return;
	struct mz_object *object = mz_object_find(address);
	mz_race_access(self, address, size, MZ_RACE_ATOMIC | (write ? MZ_RACE_WRITE : 0), caller);
	if (write)
		mz_race_atomic_store(self, object, __ATOMIC_RELAXED);
	else
		mz_race_atomic_load(self, object, __ATOMIC_RELAXED);
}

void mz_plain_volatile(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	visible(self, write ? MZ_OP_WRITE : MZ_OP_READ, address, size, caller);
	look_for_unseen(address, size, write, caller);
	if (mz_rt.mode.volatile_atomic)
		look_at_volatile(self, address, size, write, caller);
	else
		look_at(self, address, size, write, true, caller);
	follow(address, size, write, caller);
}
