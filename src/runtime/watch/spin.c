/* SPDX-License-Identifier: MIT */
#include "runtime/watch/spin.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"

#define ROUND 1024   /* arrivals and reads that are kept: a longer loop is not recognised */
#define EVENTS 60000 /* limit on events in a loop, because the age of a read has few bits */
#define BUCKETS 512

struct arrival {
	struct mz_key state;
	uint32_t event;    /* number of the thread's event, counted since it last did something else than reading */
	uint16_t read;     /* index of the first read after the arrival */
	uint16_t previous; /* the previous arrival of the same bucket, if less than this one's number */
};

struct read {
	uint64_t object;
	uint32_t event;
	uint32_t written; /* number of visible writes before the read */
	uint8_t mask;
	uint8_t kind;
};

/* A bucket holds the number of its latest arrival; if that belongs to another bucket, or to the past, it is empty. */
struct mz_spin_log {
	struct arrival arrivals[ROUND];
	struct read reads[ROUND];
	uint16_t buckets[BUCKETS];
};

struct written {
	uint64_t object;
	uint8_t mask;
	uint8_t kind;
};

static struct written *written;
static size_t nwritten, written_capacity;
static uint32_t nwaiting; /* number of threads that wait because they spin */

/* ---- states ---- */

#define FACTOR 0x9fb21c651e98df25ULL

static uint64_t turn(uint64_t word, int bits)
{
	return word << bits | word >> (64 - bits);
}

/* ---- deep stacks ---- */

/* To hash a deep stack at each arrival would take as long as the stack is deep, mostly for nothing. So where it is
 * deeper than this a state is only looked at NEAR its end, until a thread is seen to come back to some place with that
 * part as it was: the place is remembered for the session, the search begins anew, and at such places all of the stack
 * counts. A search of states, and the executions that show what it found, cannot begin anew: there all of it counts
 * everywhere. */
#define DEEP (64U << 10)
#define NEAR (4U << 10)

static bool is_watched(uintptr_t caller)
{
	const struct mz_session *session = mz_rt.session;
	bool watched = mz_rt.mode.searches_states || (mz_rt.mode.follows_schedule && !mz_rt.mode.replaying) ||
	               session->learned.nreturns == MZ_SESSION_RETURNS;
	for (uint32_t i = 0; i < session->learned.nreturns && !watched; i++)
		watched = session->learned.returns[i] == caller;
	return watched;
}

/* Returns how many bytes of the live stack count. */
static inline size_t counted(const struct mz_fiber *self, uintptr_t caller)
{
	size_t size = (size_t)(self->spin.base - mz_caller.sp);
	return MZ_LIKELY(size <= DEEP) || is_watched(caller) ? size : NEAR;
}

/* Reports whether only a part of the stack counts here. */
static bool is_partial(const struct mz_fiber *self, uintptr_t caller)
{
	return mz_caller_wipes() && mz_caller.sp + counted(self, caller) < self->spin.base;
}

/* Restarts the search with all of the stack counting at `caller`: part of a thread's state has come back there. */
MZ_COLD static void watch_caller(uintptr_t caller)
{
	mz_rt.session->learned.returns[mz_rt.session->learned.nreturns++] = caller;
	mz_restart_search();
}

/* Hashes the live stack, if stacks are compared, and the registers, four words at a time: `lanes` starts as what else
 * belongs to the state. One word that differs always makes a difference. */
static inline __attribute__((always_inline)) struct mz_key hash_state(const struct mz_fiber *self, uint64_t lanes[4],
                                                                      uintptr_t caller)
{
	const uint64_t *registers = mz_caller.registers,
	               *end = (const uint64_t *)(mz_caller.sp + counted(self, caller));
	const uint64_t *word = mz_caller_wipes() ? (const uint64_t *)mz_caller.sp : end;
	uint64_t a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
	for (; end - word >= 4; word += 4) {
		a = (a + word[0]) * FACTOR;
		b = (b + word[1]) * FACTOR;
		c = (c + word[2]) * FACTOR;
		d = (d + word[3]) * FACTOR;
	}
	for (; word < end; word++) a = (a + *word) * FACTOR;
	a = (turn(a, 32) + registers[0]) * FACTOR;
	b = (turn(b, 32) + registers[1]) * FACTOR;
	c = (turn(c, 32) + registers[2]) * FACTOR;
	d = (turn(d, 32) + registers[3]) * FACTOR;
	a = (turn(a, 29) + registers[4]) * FACTOR;
	b = (turn(b, 29) + registers[5]) * FACTOR;
	return (struct mz_key){mz_mix(a + turn(c, 17)), mz_mix(b + turn(d, 23))};
}

/* The same, with words that other threads have written to the stack as the thread knows them. */
static struct mz_key hash_known(const struct mz_fiber *self, uint64_t lanes[4], uintptr_t caller)
{
	if (MZ_LIKELY(!mz_foreign_count)) return hash_state(self, lanes, caller);
	mz_foreign_hide(self, mz_caller.sp);
	struct mz_key key = hash_state(self, lanes, caller);
	mz_foreign_show(self, mz_caller.sp);
	return key;
}

static struct mz_key state_of(const struct mz_fiber *self, enum mz_op op, uint64_t argument, uintptr_t caller)
{
	const struct mz_access *access = &self->accesses[0];
	uint64_t lanes[4] = {caller + ((uint64_t)op << 56), (uintptr_t)mz_caller.sp + argument,
	                     access->object + ((uint64_t)access->mask << 56), access->expected};
	return hash_known(self, lanes, caller);
}

static uint16_t *bucket_of(struct mz_spin_log *log, struct mz_key state)
{
	return &log->buckets[state.low % BUCKETS];
}

/* The latest arrival of a bucket, among those before `end`; ROUND if there is none. */
static uint16_t latest(const struct mz_spin_log *log, uint16_t at, uint16_t end, struct mz_key state)
{
	return at < end && log->arrivals[at].state.low % BUCKETS == state.low % BUCKETS ? at : ROUND;
}

/* Returns the thread's latest arrival in that state, or NULL. */
static const struct arrival *latest_in(const struct mz_fiber *self, struct mz_key state)
{
	struct mz_spin_log *log = self->spin_log;
	uint16_t at = latest(log, *bucket_of(log, state), (uint16_t)self->spin.narrivals, state);
	while (at != ROUND) {
		const struct arrival *arrival = &log->arrivals[at];
		if (arrival->state.low == state.low && arrival->state.high == state.high) return arrival;
		at = latest(log, arrival->previous, at, state);
	}
	return NULL;
}

/* Returns the thread's earlier arrival in `state`, or NULL. Until that has happened for the first time stacks are not
 * compared, and nothing keeps them clean: then the search starts over with both. */
static const struct arrival *returned_to(const struct mz_fiber *self, struct mz_key state)
{
	const struct arrival *arrival = latest_in(self, state);
	if (!arrival || mz_caller_wipes()) return arrival;
	mz_rt.session->learned.loops = 1;
	mz_restart_search();
}

static void push_arrival(struct mz_fiber *self, uint32_t event)
{
	struct mz_spin_log *log = self->spin_log;
	uint16_t n = (uint16_t)self->spin.narrivals++, *bucket = bucket_of(log, self->spin.state);
	log->arrivals[n] = (struct arrival){self->spin.state, event, (uint16_t)self->spin.nreads, *bucket};
	*bucket = n;
}

/* ---- waiting ---- */

static bool overlaps(const struct read *read, const struct written *write)
{
	return read->object == write->object && (read->mask & write->mask) &&
	       mz_kinds_conflict(read->kind, write->kind);
}

static bool is_outdated(const struct read *read)
{
	for (size_t n = read->written; n < nwritten; n++) {
		if (overlaps(read, &written[n])) return true;
	}
	return false;
}

/* Reports whether the same bytes are among the accesses already: the first read of them counts. */
static bool is_among(const struct mz_access *accesses, uint16_t count, const struct read *read)
{
	for (uint16_t n = 0; n < count; n++) {
		if (accesses[n].age && accesses[n].object == read->object && accesses[n].mask == read->mask)
			return true;
	}
	return false;
}

static uint16_t age_of(const struct mz_fiber *self, uint32_t event)
{
	return (uint16_t)(self->spin.nevents - event);
}

/* Adds everything that was read since the arrival to the accesses. Returns whether any of it has been written since. */
MZ_NOINLINE static bool await(struct mz_fiber *self, const struct arrival *arrival, uint16_t naccesses)
{
	const struct read *read = &self->spin_log->reads[arrival->read];
	const struct read *end = &self->spin_log->reads[self->spin.nreads];
	const struct mz_access *own = self->accesses;
	struct mz_access *accesses = mz_accesses_room(self, naccesses + (size_t)(end - read));
	bool enabled = false;
	uint16_t count = naccesses;
	for (uint16_t n = 0; n < naccesses; n++) {
		accesses[n] = own[n];
		accesses[n].age = age_of(self, read[n].event); /* what it read when it arrived there */
	}
	for (; read < end; read++) {
		enabled |= is_outdated(read);
		if (is_among(accesses, count, read)) continue;
		accesses[count++] = (struct mz_access){.object = read->object,
		                                       .mask = read->mask,
		                                       .kind = read->kind,
		                                       .only_waited = true,
		                                       .age = age_of(self, read->event)};
	}
	self->spin.extra = (uint16_t)(count - naccesses);
	return enabled;
}

bool mz_spin_waits(const struct mz_fiber *fiber)
{
	const struct mz_pending *pending = &mz_rt.execution.pending[fiber->index];
	return pending->status == MZ_THREAD_BLOCKED && !fiber->requests.awaited &&
	       mz_accesses_await(pending->accesses, pending->naccesses);
}

void mz_spin_release(struct mz_fiber *fiber)
{
	mz_set_enabled(fiber, true);
	nwaiting--;
}

static void wake_spinners(const struct written *write)
{
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		const struct mz_pending *pending = &mz_rt.execution.pending[t];
		if (!mz_spin_waits(&mz_rt.fibers[t])) continue;
		for (uint16_t n = 0; n < pending->naccesses; n++) {
			const struct mz_access *access = &pending->accesses[n];
			uint8_t kind = access->only_waited ? access->kind : (uint8_t)MZ_READ;
			const struct read read = {.object = access->object, .mask = access->mask, .kind = kind};
			if (!access->age || !overlaps(&read, write)) continue;
			mz_spin_release(&mz_rt.fibers[t]);
			break;
		}
	}
}

/* ---- what threads do ---- */

static void make_log(struct mz_fiber *self)
{
	if (MZ_LIKELY(self->spin_log != NULL)) return;
	self->spin_log = mz_alloc(sizeof *self->spin_log);
	if (!self->spin_log) mz_unsupported("out of memory");
	MZ_REAL(memset)(self->spin_log->buckets, 0, sizeof self->spin_log->buckets);
}

/* Reports whether the call under way was noted, so that the thread can be recognised here. Never where threads leave
 * their stacks, because those cannot be kept clean. */
static bool is_noted(struct mz_fiber *self, uintptr_t caller)
{
	bool own = (size_t)(mz_caller.sp - self->stack_low) < (size_t)(self->spin.base - self->stack_low);
	bool noted = mz_caller.place == caller && own && MZ_LIKELY(!mz_rt.seen.leaves_stacks);
	mz_caller.place = 0;
	if (!noted) return false;
	make_log(self);
	if (mz_caller.sp < self->stack_lowest) self->stack_lowest = mz_caller.sp;
	return true;
}

/* ---- clocks ---- */

/* A place at which clocks are read has an entry among the arrivals: its `event` is how often the thread has read one
 * there, its `read` the number of the arrival that was entered when it last did. */

/* Adds to `hash` the places to which the functions at the end of the live stack return. Other words that look like such
 * places do no harm: they are part of the local state. */
static uint64_t hash_callers(const struct mz_fiber *self, uint64_t hash)
{
	size_t size = (size_t)(self->spin.base - mz_caller.sp);
	const uintptr_t *end = (const uintptr_t *)(mz_caller.sp + (size < NEAR ? size : NEAR));
	for (const uintptr_t *word = (const uintptr_t *)mz_caller.sp; word < end; word++)
		if (mz_image_owns_code(*word)) hash = mz_hash2(hash, *word);
	return hash;
}

/* Returns what stands for the place: it is never a local state. As long as stacks are not compared it is the same for
 * different callers. */
static struct mz_key place_of(const struct mz_fiber *self, uintptr_t caller)
{
	uint64_t hash = mz_hash2(caller, (uintptr_t)mz_caller.sp);
	if (mz_caller_wipes()) hash = hash_callers(self, hash);
	return (struct mz_key){mz_mix(hash), ~mz_mix(hash ^ FACTOR)};
}

static struct arrival *enter_place(struct mz_fiber *self, struct mz_key place, uint32_t times)
{
	self->spin.state = place;
	push_arrival(self, times);
	return &self->spin_log->arrivals[self->spin.narrivals - 1];
}

/* Whether callers differ matters only to a thread that reads something in between. */
static bool has_polled(const struct mz_fiber *self, const struct arrival *place)
{
	if (self->spin.narrivals_at_read <= place->read) return false;
	if (mz_caller_wipes()) return true;
	mz_rt.session->learned.loops = 1;
	mz_restart_search();
}

/* Notes that SELF reads a clock at the place, in a state that is new. */
static enum mz_clock_reading enter_reading(struct mz_fiber *self, struct mz_key key, struct mz_key state,
                                           uint32_t *times)
{
	struct arrival *place = (struct arrival *)latest_in(self, key);
	enum mz_clock_reading reading = !place                    ? MZ_CLOCK_NEW
	                                : has_polled(self, place) ? MZ_CLOCK_POLLS
	                                                          : MZ_CLOCK_AGAIN;
	if (!place) place = enter_place(self, key, 0);
	if (reading == MZ_CLOCK_NEW && self->spin.nclocks < MZ_CLOCKS) self->spin.nclocks++;
	*times = place->event += place->event < UINT16_MAX;
	place->read = (uint16_t)self->spin.narrivals;
	self->spin.state = state;
	push_arrival(self, self->spin.nevents);
	self->spin.narrivals_at_clock = self->spin.narrivals;
	return reading;
}

enum mz_clock_reading mz_spin_at_clock(struct mz_fiber *self, uintptr_t caller, uint32_t *times)
{
	bool recognised =
	    mz_rt.mode.spinning_waits || (mz_rt.mode.searches_states && mz_rt.session->configuration.spins);
	if (!recognised || !is_noted(self, caller)) return MZ_CLOCK_UNKNOWN;
	uint64_t lanes[4] = {caller, (uintptr_t)mz_caller.sp, 0, 0};
	const struct mz_key state = hash_known(self, lanes, caller);
	self->spin.clock = place_of(self, caller);
	if (returned_to(self, state)) {
		if (MZ_UNLIKELY(is_partial(self, caller))) watch_caller(caller);
		return MZ_CLOCK_ROUND;
	}
	if (self->spin.narrivals + 2 > ROUND) mz_spin_forget(self);
	return enter_reading(self, self->spin.clock, state, times);
}

void mz_spin_forget_round(struct mz_fiber *self, uint32_t times)
{
	uint32_t nclocks = self->spin.nclocks;
	mz_spin_forget(self);
	self->spin.nclocks = nclocks;
	enter_place(self, self->spin.clock, times)->read = 0;
	self->spin.narrivals_at_clock = self->spin.narrivals;
}

/* Returns the earlier arrival of a thread that waits only for what it has read since; NULL if there is none, or if the
 * thread has read a clock since and time still advances for it. */
static const struct arrival *find_round(struct mz_fiber *self, uintptr_t caller)
{
	const struct arrival *arrival = returned_to(self, self->spin.state);
	if (arrival && MZ_UNLIKELY(is_partial(self, caller))) watch_caller(caller);
	bool looked = arrival && self->spin.narrivals_at_clock > arrival - self->spin_log->arrivals;
	return looked && mz_time_may_advance(self) ? NULL : arrival;
}

void mz_spin_visible(struct mz_fiber *self, struct mz_operation operation, uint64_t argument, uintptr_t caller)
{
	if (MZ_UNLIKELY(!mz_rt.mode.spinning_waits || mz_rt.invariants.evaluating || mz_rt.execution.section.thread)) {
		mz_visible(self, operation, caller);
		return;
	}
	bool enabled = true;
	if (is_noted(self, caller)) {
		self->spin.state = state_of(self, (enum mz_op)operation.op, argument, caller);
		self->spin.arrives = true;
		const struct arrival *arrival = find_round(self, caller);
		if (MZ_UNLIKELY(arrival != NULL)) enabled = await(self, arrival, operation.naccesses);
		nwaiting += !enabled;
	}
	operation.naccesses = (uint16_t)(operation.naccesses + self->spin.extra);
	mz_visible_if(self, operation, enabled, caller);
}

static bool is_read(uint8_t kind)
{
	return kind == MZ_READ || kind == MZ_WEAK_READ;
}

/* Reports whether repeating the operation has the same result while nothing is written. A choice need not, and what a
 * signal without waiters reads is not memory. */
static bool may_repeat(enum mz_op op)
{
	switch (op) {
	case MZ_OP_CHOOSE:
	case MZ_OP_ALLOCATE:
	case MZ_OP_LEAVE:
	case MZ_OP_END_WAIT:
	case MZ_OP_SIGNAL:
	case MZ_OP_BROADCAST:
	case MZ_OP_FUTEX_WAKE: return false;
	default: return true;
	}
}

static void write_down(const struct mz_access *access)
{
	mz_array_require(&written, &written_capacity, nwritten + 1);
	written[nwritten] = (struct written){access->object, access->mask, mz_access_really(access)};
	if (MZ_UNLIKELY(nwaiting)) wake_spinners(&written[nwritten]);
	nwritten++;
}

/* The thread has written to its own stack: of what it read there before, only later writes matter. */
static void supersede(struct mz_fiber *self, const struct mz_access *access, uint32_t event)
{
	for (uint32_t n = 0; n < self->spin.nreads; n++) {
		struct read *read = &self->spin_log->reads[n];
		if (read->object != access->object || !(read->mask & access->mask)) continue;
		read->event = event;
		read->written = (uint32_t)nwritten;
	}
}

/* Notes whether the thread has read what others may write to. That it has looked for requests, or for timers, belongs to
 * whatever it does. */
static void note_others(struct mz_fiber *self, enum mz_op op, uint16_t naccesses)
{
	bool ours = op == MZ_OP_TAKE_SIGNAL || op == MZ_OP_TEST_CANCEL || op == MZ_OP_LOOK_UP;
	for (uint16_t n = 0; n < naccesses && !ours; n++)
		if (!mz_spin_owns(self, self->accesses[n].object)) self->spin.narrivals_at_read = self->spin.narrivals;
}

static void remember(struct mz_fiber *self, enum mz_op op, uint16_t naccesses)
{
	uint32_t event = self->spin.nevents++;
	bool too_long = self->spin.nreads + naccesses > ROUND || self->spin.narrivals == ROUND || event == EVENTS;
	if (MZ_UNLIKELY(too_long)) {
		mz_spin_forget(self);
		return;
	}
	make_log(self);
	if (self->spin.arrives) push_arrival(self, event);
	note_others(self, op, naccesses);
	for (uint16_t n = 0; n < naccesses; n++) {
		const struct mz_access *access = &self->accesses[n];
		if (!is_read(mz_access_really(access))) {
			supersede(self, access, event);
			continue;
		}
		self->spin_log->reads[self->spin.nreads++] =
		    (struct read){access->object, event, (uint32_t)nwritten, access->mask, mz_access_really(access)};
	}
}

/* Completes the accesses that are only waited for. Returns the number of all accesses. */
static uint16_t look_at_awaited(struct mz_fiber *self, uint16_t naccesses)
{
	uint16_t count = (uint16_t)(naccesses + self->spin.extra);
	for (uint16_t n = naccesses; n < count; n++)
		self->accesses[n].before = mz_objects_state(self->accesses[n].object);
	self->spin.extra = 0;
	return count;
}

/* To acquire a lock and release it again changes nothing that a loop could wait for, but the loop is not recognised: so
 * it is counted how often the thread has read clocks meanwhile. */
static bool is_of_lock(enum mz_op op)
{
	return op >= MZ_OP_LOCK && op <= MZ_OP_UNLOCK_SHARED;
}

static void has_written(struct mz_fiber *self, enum mz_op op)
{
	uint32_t nclocks = is_of_lock(op) ? self->spin.nclocks : 0;
	mz_spin_forget(self);
	self->spin.nclocks = nclocks;
	self->clock_rounds = 0;
}

/* Plain accesses to the own stack are visible with --points all, and in atomic sections. What they write is part of the
 * local state. */
static bool is_own(const struct mz_fiber *self, enum mz_op op, const struct mz_access *access)
{
	return (op == MZ_OP_WRITE || op == MZ_OP_ATOMIC) && mz_spin_owns(self, access->object);
}

static bool any_writes(const struct mz_fiber *self, enum mz_op op, uint16_t naccesses)
{
	for (uint16_t n = 0; n < naccesses; n++) {
		const struct mz_access *access = &self->accesses[n];
		if (!is_read(mz_access_really(access)) && !is_own(self, op, access)) return true;
	}
	return false;
}

/* Notes which accesses are to stacks of other threads, before anything is written. */
static void look_at_stacks(const struct mz_fiber *self, const struct mz_access *access)
{
	if (!mz_foreign_is_stack(access->object) || !access->mask) return;
	uintptr_t first = access->object + (unsigned)__builtin_ctz(access->mask);
	size_t size = (size_t)__builtin_popcount(access->mask);
	if (mz_spin_owns(self, access->object))
		mz_foreign_know(self, first, size);
	else if (!is_read(mz_access_really(access)))
		mz_foreign_write(self, first, size);
}

MZ_NOINLINE static uint16_t commit_any(struct mz_fiber *self, enum mz_op op, uint16_t naccesses)
{
	for (uint16_t n = 0; n < naccesses; n++) {
		if (!is_read(mz_access_really(&self->accesses[n]))) write_down(&self->accesses[n]);
		if (MZ_UNLIKELY(mz_caller_wipes())) look_at_stacks(self, &self->accesses[n]);
	}
	if (!may_repeat(op) || any_writes(self, op, naccesses))
		has_written(self, op);
	else
		remember(self, op, naccesses);
	self->spin.arrives = false;
	return self->spin.extra ? look_at_awaited(self, naccesses) : naccesses;
}

uint16_t mz_spin_commit(struct mz_fiber *self, enum mz_op op, uint16_t naccesses)
{
	if (!mz_rt.mode.spinning_waits) {
		if (!mz_rt.mode.searches_states) return naccesses;
		note_others(self, op, naccesses);
		if (!may_repeat(op) || any_writes(self, op, naccesses)) has_written(self, op);
		return naccesses;
	}
	const struct mz_access *only = self->accesses;
	bool simple = naccesses == 1 && !is_read(mz_access_really(only)) && op != MZ_OP_WRITE && !self->spin.extra &&
	              !(nwaiting | mz_caller_wipes()) && nwritten < written_capacity;
	if (!simple) return commit_any(self, op, naccesses);
	written[nwritten++] = (struct written){only->object, only->mask, only->kind};
	has_written(self, op);
	self->spin.arrives = false;
	return naccesses;
}

void mz_spin_reset(void)
{
	nwritten = 0;
	nwaiting = 0;
	mz_foreign_reset();
}

/* ---- explaining ---- */

void mz_spin_explain(struct mz_fiber *fiber)
{
	const struct mz_pending *pending = &mz_rt.execution.pending[fiber->index];
	for (uint16_t n = 0; n < pending->naccesses; n++) {
		const struct mz_access *access = &pending->accesses[n];
		if (!access->age) continue;
		unsigned low = (unsigned)__builtin_ctz(access->mask), size = (unsigned)__builtin_popcount(access->mask);
		uint64_t value = mz_objects_state(access->object) >> 8 * low;
		if (size < 8) value &= ((uint64_t)1 << 8 * size) - 1;
		mz_report_detail(n == 0 ? fiber : NULL, n == 0 ? fiber->caller : 0, access->object + low, size,
		                 value < 1000000000 ? "%s the %llu in" : "%s the %#llx in",
		                 n == 0 ? "spins while nobody changes" : "  or", (unsigned long long)value);
	}
}

/* ---- telling states apart ---- */

void mz_spin_identity(const struct mz_fiber *fiber, struct mz_state *state)
{
	const uint32_t counts[4] = {fiber->clock_rounds, fiber->spin.narrivals, fiber->spin.narrivals_at_read,
	                            fiber->spin.nclocks};
	mz_state_put(state, counts, sizeof counts);
	for (uint32_t n = 0; n < fiber->spin.narrivals; n++) {
		const struct arrival *arrival = &fiber->spin_log->arrivals[n];
		const uint32_t numbers[2] = {arrival->event, arrival->read};
		mz_state_put(state, &arrival->state, sizeof arrival->state);
		mz_state_put(state, numbers, sizeof numbers);
	}
}

/* ---- checkpoints ---- */

void mz_spin_store(struct mz_state *state)
{
	const uint64_t counts[2] = {nwritten, nwaiting}; /* the writes before these numbers have not changed */
	mz_state_put(state, counts, sizeof counts);
	mz_foreign_store(state);
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) {
		const struct mz_fiber *fiber = &mz_rt.fibers[t];
		if (fiber->spin.nreads + fiber->spin.narrivals == 0) continue;
		mz_state_put(state, fiber->spin_log->arrivals, fiber->spin.narrivals * sizeof(struct arrival));
		mz_state_put(state, fiber->spin_log->reads, fiber->spin.nreads * sizeof(struct read));
	}
}

void mz_spin_load(struct mz_state *state)
{
	uint64_t counts[2];
	mz_state_get(state, counts, sizeof counts);
	nwritten = counts[0];
	nwaiting = (uint32_t)counts[1];
	mz_foreign_load(state);
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) {
		const struct mz_fiber *fiber = &mz_rt.fibers[t];
		struct mz_spin_log *log = fiber->spin_log;
		if (fiber->spin.nreads + fiber->spin.narrivals == 0) continue;
		mz_state_get(state, log->arrivals, fiber->spin.narrivals * sizeof(struct arrival));
		mz_state_get(state, log->reads, fiber->spin.nreads * sizeof(struct read));
		for (uint32_t n = 0; n < fiber->spin.narrivals; n++)
			*bucket_of(log, log->arrivals[n].state) = (uint16_t)n;
	}
}
