/* SPDX-License-Identifier: MIT */
#include "engine/reversal/race.h"
#include "base/alloc.h"
#include "base/array.h"

void mz_reversal_release(struct mz_reversal *reversal)
{
	mz_sequence_release(&reversal->sequence);
	mz_free(reversal->positions);
	mz_free(reversal->accesses);
	*reversal = (struct mz_reversal){0};
}

static uint64_t bytes_of(uint8_t mask)
{
	uint64_t bytes = 0;
	for (int n = 0; n < 8; n++) {
		if (mask >> n & 1) bytes |= (uint64_t)0xff << 8 * n;
	}
	return bytes;
}

/* Finds the value, under its mask, that `access` would find before `first`. Returns false if that is not known. Leaves
 * in `*apart` the bytes of the access that `first` does not write. */
static bool value_before(const struct mz_event *first, const struct mz_access *access, bool executed, uint64_t *value,
                         uint8_t *apart)
{
	uint8_t known = executed ? access->mask : 0;
	*value = access->before;
	*apart = access->mask;
	for (unsigned n = 0; n < first->naccesses; n++) {
		const struct mz_access *other = &first->accesses[n];
		if (other->object != access->object) continue;
		uint64_t bytes = bytes_of(other->mask);
		*value = (*value & ~bytes) | (other->before & bytes);
		known |= other->mask;
		if (other->kind == MZ_WRITE) *apart &= (uint8_t)~other->mask;
	}
	*value &= bytes_of(access->mask);
	return !(access->mask & ~known);
}

bool mz_event_may_change(const struct mz_event *first, uint16_t op, const struct mz_access *accesses, unsigned count)
{
	if (op != MZ_OP_ATOMIC) return false;
	for (unsigned m = 0; m < first->naccesses; m++) {
		const struct mz_access *a = &first->accesses[m];
		if (a->kind != MZ_WRITE && a->kind != MZ_WEAK_WRITE) continue;
		for (unsigned n = 0; n < count; n++)
			if (a->object == accesses[n].object && (a->mask & accesses[n].mask)) return true;
	}
	return false;
}

static void set_kinds(struct mz_access *accesses, unsigned count, uint8_t kind)
{
	for (unsigned n = 0; n < count; n++) {
		if (!accesses[n].only_waited) accesses[n].kind = kind;
	}
}

/* Returns whether an operation of that class writes if one of its accesses finds `value`, as far as that access
 * decides. */
static bool writes(enum mz_op_class class, const struct mz_access *access, uint64_t value)
{
	uint64_t expected = access->expected & bytes_of(access->mask);
	switch (class) {
	case MZ_CLASS_COMPARE: return value == expected;
	case MZ_CLASS_SET: return value != expected;
	case MZ_CLASS_RAISE: return (value & expected) != expected;
	case MZ_CLASS_LOWER: return (value & expected) != 0;
	case MZ_CLASS_WAKE: return value != 0;
	default: return mz_class_passes(class, value, access->expected);
	}
}

/* Returns whether one access that writes makes the operation a write; otherwise all have to. */
static bool any_writes(enum mz_op_class class)
{
	return class == MZ_CLASS_SET || class == MZ_CLASS_RAISE || class == MZ_CLASS_LOWER;
}

/* Returns whether the access expects no bits, so that the other accesses decide the outcome of the operation. */
static bool decides_nothing(enum mz_op_class class, const struct mz_access *access)
{
	return (class == MZ_CLASS_RAISE || class == MZ_CLASS_LOWER) && !(access->expected & bytes_of(access->mask));
}

/* Makes a LEAVE what it is before `first`: if `first` is the event that woke the thread, nothing else can have woken
 * it. */
static void move_leaving(struct mz_access *access, const struct mz_event *first)
{
	while (access->only_waited) access++;
	if (mz_events_woke(first, access)) access->expected = 0;
	access->kind = access->expected ? MZ_READ : MZ_WRITE;
}

/* Makes the accesses of the moved event what they will be before event i. Returns false if that is not known. */
static bool move(struct mz_reversal *reversal, const struct mz_execution *x, uint32_t i,
                 const struct mz_waiting *waiting, bool executed)
{
	const struct mz_event *first = mz_execution_event(x, i);
	struct mz_event *moved = &reversal->moved;
	struct mz_access *accesses = reversal->accesses;
	enum mz_op_class class = waiting->class;
	if (!mz_class_has_outcomes(class)) return true;
	if (class == MZ_CLASS_LEAVE) {
		move_leaving(accesses, first);
		return true;
	}
	bool any = any_writes(class), write = !any, was_read = false;
	uint64_t value = 0;
	uint8_t apart = 0, all_apart = 0;
	for (unsigned n = 0; n < moved->naccesses; n++) {
		struct mz_access *access = &accesses[n];
		if (access->only_waited || decides_nothing(class, access)) continue;
		if (!value_before(first, access, executed, &value, &apart)) return false;
		if (mz_class_contends(class)) value = mz_waiting_state(x, waiting, i);
		all_apart |= apart;
		was_read |= access->kind == MZ_READ || access->kind == MZ_WEAK_READ;
		bool here = writes(class, access, value);
		write = any ? write | here : write & here;
		access->before = value;
	}
	set_kinds(accesses, moved->naccesses, mz_class_kind(class, write));
	reversal->grown = write && was_read && all_apart;
	if (class == MZ_CLASS_WAKE) {
		moved->alternatives = moved->op == MZ_OP_SIGNAL && value > 1 ? (uint32_t)value : 1;
		moved->choice = 0;
	}
	return true;
}

static bool reserve(struct mz_reversal *reversal, size_t events, size_t accesses)
{
	if (!mz_sequence_clear(&reversal->sequence, events)) return false;
	if (!mz_array_reserve(&reversal->positions, &reversal->positions_capacity, events)) return false;
	if (!mz_array_reserve(&reversal->accesses, &reversal->accesses_capacity, accesses + 1)) return false;
	return true;
}

static struct mz_event second_event(const struct mz_execution *x, const struct mz_race *race)
{
	if (race->second != MZ_NONE) return *mz_execution_event(x, race->second);
	const struct mz_pending *pending = race->pending;
	return (struct mz_event){.thread = race->thread,
	                         .alternatives = pending->alternatives,
	                         .op = pending->op,
	                         .naccesses = pending->naccesses,
	                         .accesses = pending->accesses,
	                         .guessed = pending->partial};
}

static bool append_moved(struct mz_reversal *reversal, const struct mz_execution *x, uint32_t i,
                         const struct mz_event *second, const struct mz_waiting *waiting, bool executed)
{
	reversal->moved = *second;
	reversal->moved.accesses = reversal->accesses;
	reversal->grown = reversal->moved.guessed =
	    second->guessed ||
	    mz_event_may_change(mz_execution_event(x, i), second->op, second->accesses, second->naccesses);
	for (unsigned n = 0; n < second->naccesses; n++) reversal->accesses[n] = second->accesses[n];
	if (!move(reversal, x, i, waiting, executed)) return false;
	mz_event_summarize(&reversal->moved);
	mz_sequence_push(&reversal->sequence, &reversal->moved, MZ_SEQUENCE_UNKNOWN);
	return executed || mz_events_conflict(mz_execution_event(x, i), &reversal->moved);
}

/* Appends the events before `end` that do not happen after `first`. */
static void append_apart(struct mz_reversal *reversal, const struct mz_execution *x, uint32_t first, uint32_t end)
{
	for (uint32_t k = first + 1; k < end; k++) {
		if (!mz_execution_in_reversal(x, first, k)) continue;
		uint32_t rival = x->records[k].rival; /* the rival does not happen after `first` either */
		reversal->positions[k - first] = (uint32_t)reversal->sequence.count;
		mz_sequence_push(&reversal->sequence, mz_execution_event(x, k),
		                 rival > first + 1 ? reversal->positions[rival - 1 - first] : MZ_SEQUENCE_NOTHING);
	}
}

struct mz_waiting mz_race_prepare(struct mz_execution *x, const struct mz_race *race)
{
	struct mz_waiting waiting = race->second == MZ_NONE ? mz_waiting_pending(x, race->thread, race->pending)
	                                                    : mz_waiting_executed(x, race->second);
	mz_waiting_prepare(x, &waiting, race->first);
	return waiting;
}

bool mz_reversal_make(struct mz_reversal *reversal, struct mz_execution *x, const struct mz_race *race, uint32_t end)
{
	const struct mz_event second = second_event(x, race);
	const struct mz_waiting waiting = mz_race_prepare(x, race);
	if (!reserve(reversal, end - race->first + 1, second.naccesses)) {
		x->failed = true;
		return false;
	}
	append_apart(reversal, x, race->first, end);
	return append_moved(reversal, x, race->first, &second, &waiting, race->second != MZ_NONE);
}
