/* SPDX-License-Identifier: MIT
 *
 * For each byte that has been touched since somebody's time moved on, and each kind of access, the latest time at which
 * it was: what an access conflicts with, and so comes after, is then known by its kind. (An object that was not touched
 * since is at time 0: everybody was.)
 */
#include "runtime/watch/time.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/table.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/spin.h"
#include <stdio.h>
#include <string.h>

#define KINDS 4
#define LATEST (UINT64_MAX / 4) /* more than a hundred years */
/* Nanoseconds that pass whenever a clock is read: all clocks show it, also those of microseconds. */
#define READING 1000ULL
/* Where a thread has read a clock MANY times and changed nothing but its own stack meanwhile, it waits for time to pass:
 * from then on twice as much passes after every FEW times. */
#define MANY 128
#define FEW 4
#define LONGEST 40 /* how often that doubles */
/* Where a thread has read clocks at SEVERAL places, or several times at one, and has changed nothing meanwhile but its
 * own stack and locks, it is taken to look for something under a lock until a deadline: four times as much passes from
 * one reading to the next. */
#define SEVERAL 8
/* How often time passes in a loop that reads what other threads may write, before it must be seen whether the loop comes
 * round. */
#define POLLS 3
/* How often no time passes then. If the loop does not come round, something else changes in each round, such as a counter:
 * then four times as much passes each time. */
#define STILL 4
/* Nanoseconds by which the first round of a loop that reads a clock advances time. Each of MZ_CLOCK_ROUNDS rounds is
 * sixteen times as long as the one before. */
#define FIRST_ROUND 1000ULL
/* Where loops are not recognised: time advances when a thread has read clocks more often than this. */
#define READINGS 1000

#define WALL_START 1700000000ULL /* seconds: the 14th of November 2023 */
#define BOOT_START 1000ULL       /* seconds since the machine was started */

struct stamp {
	uint64_t object;
	uint64_t at[8][KINDS]; /* by byte and kind */
};

static struct mz_table numbers; /* objects: 1 + the numbers of their stamps; kept from one execution to the next */
static struct stamp **stamps;
static size_t nstamps, stamps_capacity;
static uint32_t *used; /* in this execution */
static size_t nused, used_capacity;

/* ---- stamps ---- */

static uint32_t add_stamp(uint64_t object)
{
	mz_array_require(&stamps, &stamps_capacity, nstamps + 1);
	struct stamp *stamp = mz_alloc(sizeof *stamp);
	if (!stamp || !mz_table_add(&numbers, mz_mix(object), nstamps + 1)) mz_unsupported("out of memory");
	*stamp = (struct stamp){.object = UINT64_MAX};
	stamps[nstamps] = stamp;
	return (uint32_t)nstamps++;
}

static struct stamp *add_to_used(uint32_t number)
{
	mz_array_require(&used, &used_capacity, nused + 1);
	used[nused++] = number;
	return stamps[number];
}

/* Returns the stamp of an object, in use from now on. Stamps that are not in use have UINT64_MAX as object. */
static struct stamp *stamp_of(uint64_t object)
{
	uint32_t known = (uint32_t)mz_table_find(&numbers, mz_mix(object));
	uint32_t number = known ? known - 1 : add_stamp(object);
	struct stamp *stamp = stamps[number];
	if (stamp->object == object) return stamp;
	add_to_used(number);
	*stamp = (struct stamp){.object = object};
	return stamp;
}

static void forget_stamps(void)
{
	while (nused) stamps[used[--nused]]->object = UINT64_MAX;
}

static uint64_t latest_conflict(const struct stamp *stamp, const struct mz_access *access)
{
	uint64_t time = 0;
	for (unsigned byte = 0; byte < 8; byte++) {
		if (!(access->mask >> byte & 1)) continue;
		for (uint8_t kind = 0; kind < KINDS; kind++) {
			if (mz_kinds_conflict(access->kind, kind) && stamp->at[byte][kind] > time)
				time = stamp->at[byte][kind];
		}
	}
	return time;
}

static void raise_stamp(struct stamp *stamp, const struct mz_access *access, uint64_t time)
{
	for (unsigned byte = 0; byte < 8; byte++) {
		if ((access->mask >> byte & 1) && stamp->at[byte][access->kind] < time)
			stamp->at[byte][access->kind] = time;
	}
}

void mz_time_meet_slow(struct mz_fiber *self, uint16_t naccesses)
{
	for (uint16_t n = 0; n < naccesses; n++) {
		uint64_t time = latest_conflict(stamp_of(self->accesses[n].object), &self->accesses[n]);
		if (self->time < time) self->time = time;
	}
	if (self->time == 0) return;
	for (uint16_t n = 0; n < naccesses; n++)
		raise_stamp(stamp_of(self->accesses[n].object), &self->accesses[n], self->time);
}

/* ---- moving on ---- */

void mz_time_reach(struct mz_fiber *self, uint64_t until)
{
	if (until <= self->time) return;
	self->time = until < LATEST ? until : LATEST;
	mz_rt.execution.time_moved = true;
}

uint64_t mz_time_after(const struct mz_fiber *self, uint64_t nanoseconds)
{
	return nanoseconds < LATEST ? self->time + nanoseconds : LATEST;
}

static void advance_by_round(struct mz_fiber *self)
{
	bool advances = mz_time_may_advance(self);
	mz_time_reach(self, advances ? self->time + (FIRST_ROUND << 4 * self->clock_rounds) : LATEST);
	self->clock_rounds += advances;
}

/* Returns how much time passes when a thread has read a clock so often at one place, and at so many places. */
static uint64_t length_of_reading(uint32_t times, uint32_t places)
{
	uint32_t doubled = times > MANY ? (times - MANY) / FEW : places > SEVERAL ? 2 * (places - SEVERAL) : 0;
	return READING << (doubled < LONGEST ? doubled : LONGEST);
}

static uint64_t length_of_polling(uint32_t times)
{
	uint32_t doubled = times > POLLS + STILL ? 2 * (times - POLLS - STILL) : 0;
	if (times > POLLS && !doubled) return 0;
	return READING << (doubled < LONGEST ? doubled : LONGEST);
}

/* Returns how much time passes at a reading that was made so many times. */
static uint64_t length_of(const struct mz_fiber *self, enum mz_clock_reading reading, uint32_t times)
{
	if (reading == MZ_CLOCK_POLLS) return length_of_polling(times);
	return length_of_reading(times, reading == MZ_CLOCK_NEW ? self->spin.nclocks : 0);
}

/* Counts a reading of a clock where rounds of loops are not recognised. Reports whether there were too many. */
static bool reads_often(struct mz_fiber *self)
{
	return ++self->counts.readings > READINGS;
}

uint64_t mz_time_read(struct mz_fiber *self, uintptr_t caller)
{
	uint32_t times = 0;
	enum mz_clock_reading reading = mz_spin_at_clock(self, caller, &times);
	mz_caller.place = 0;
	if (reading == MZ_CLOCK_ROUND || (reading == MZ_CLOCK_UNKNOWN && reads_often(self)))
		advance_by_round(self);
	else
		mz_time_reach(self, self->time + length_of(self, reading, times));
	if (reading == MZ_CLOCK_ROUND) mz_spin_forget_round(self, POLLS);
	return self->time;
}

void mz_time_reset(void)
{
	forget_stamps();
	mz_rt.execution.time_moved = false;
}

/* ---- checkpoints ---- */

void mz_time_store(struct mz_state *state)
{
	mz_state_put(state, &mz_rt.execution.time_moved, sizeof mz_rt.execution.time_moved);
	mz_state_put(state, &nused, sizeof nused);
	for (size_t i = 0; i < nused; i++) {
		mz_state_put(state, &used[i], sizeof *used);
		mz_state_put(state, stamps[used[i]], sizeof **stamps);
	}
}

void mz_time_load(struct mz_state *state)
{
	size_t n;
	uint32_t number;
	forget_stamps();
	mz_state_get(state, &mz_rt.execution.time_moved, sizeof mz_rt.execution.time_moved);
	mz_state_get(state, &n, sizeof n);
	for (size_t i = 0; i < n; i++) {
		mz_state_get(state, &number, sizeof number);
		mz_state_get(state, add_to_used(number), sizeof **stamps);
	}
}

/* ---- telling states apart ---- */

/* Reports whether a function shows the time, or depends on it. */
static bool shows_time(const char *module, const char *symbol)
{
	static const char names[] = " clock_gettime gettimeofday time timespec_get ftime clock times dlopen ";
	char word[64];
	if (strstr(module, "libstdc++") || strstr(module, "libc++")) return false;
	if (strstr(symbol, "timed") || strstr(symbol, "clockwait") || strstr(symbol, "clocklock")) return true;
	if (strstr(symbol, "chrono")) return true;
	return snprintf(word, sizeof word, " %s ", symbol) < (int)sizeof word && strstr(names, word);
}

static uint64_t hash_of(const struct stamp *stamp)
{
	uint64_t hash = mz_mix(stamp->object);
	for (unsigned byte = 0; byte < 8; byte++)
		for (unsigned kind = 0; kind < KINDS; kind++) hash = mz_hash2(hash, stamp->at[byte][kind]);
	return hash;
}

void mz_time_identity(struct mz_state *state)
{
	static int shown = -1;
	uint64_t sum = 0; /* a sum, so that the order in which stamps came into use does not matter */
	if (shown < 0) shown = mz_imports_any_rolled_back(shows_time);
	if (!shown) return;
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) {
		const struct mz_fiber *fiber = &mz_rt.fibers[t];
		if (fiber->state == MZ_FIBER_UNUSED) continue;
		mz_state_put(state, &fiber->time, sizeof fiber->time);
		mz_spin_identity(fiber, state);
	}
	for (size_t i = 0; i < nused; i++) sum += hash_of(stamps[used[i]]);
	mz_state_put(state, &sum, sizeof sum);
}

/* ---- clocks ---- */

/* Returns what a clock shows, in seconds, when the execution begins. Clocks of processor time begin at 0. */
static uint64_t start_of(clockid_t clock)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_REALTIME_ALARM:
	case CLOCK_TAI: return WALL_START;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
	case CLOCK_BOOTTIME_ALARM: return BOOT_START;
	default: return 0;
	}
}

/* Clocks of threads have the form that the kernel gives them, with numbers that no process of its has. */
#define NO_PROCESS (1 << 24)
#define CLOCK_OF_THREAD 6
#define CLOCK_BITS 3

clockid_t mz_time_clock_of(const struct mz_fiber *fiber)
{
	return (clockid_t)((~(unsigned)(NO_PROCESS + fiber->index) << CLOCK_BITS) | CLOCK_OF_THREAD);
}

const struct mz_fiber *mz_time_owner_of(clockid_t clock)
{
	uint32_t number = ~(uint32_t)(clock >> CLOCK_BITS) - NO_PROCESS;
	if (clock >= 0 || (clock & ((1 << CLOCK_BITS) - 1)) != CLOCK_OF_THREAD || number >= mz_rt.nfibers) return NULL;
	return mz_rt.fibers[number].state == MZ_FIBER_UNUSED ? NULL : &mz_rt.fibers[number];
}

struct timespec mz_time_on(clockid_t clock, uint64_t time)
{
	return (struct timespec){(time_t)(start_of(clock) + time / MZ_SECOND), (long)(time % MZ_SECOND)};
}

uint64_t mz_time_from(clockid_t clock, const struct timespec *shown)
{
	if (shown->tv_nsec < 0 || shown->tv_nsec >= (long)MZ_SECOND) return MZ_TIME_INVALID;
	if (shown->tv_sec < (time_t)start_of(clock)) return 0;
	const struct timespec since = {shown->tv_sec - (time_t)start_of(clock), shown->tv_nsec};
	return mz_time_length(&since);
}

uint64_t mz_time_length(const struct timespec *length)
{
	if (length->tv_sec < 0 || length->tv_nsec < 0 || length->tv_nsec >= (long)MZ_SECOND) return MZ_TIME_INVALID;
	if ((uint64_t)length->tv_sec >= LATEST / MZ_SECOND) return LATEST;
	return (uint64_t)length->tv_sec * MZ_SECOND + (uint64_t)length->tv_nsec;
}
