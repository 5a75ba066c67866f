/* SPDX-License-Identifier: MIT
 *
 * The search of Figure 7: states are taken from the frontier; from each, the vector is computed (vector.h) by letting
 * every thread run alone (stage.h); where its finite prefixes lead is added to the frontier.
 *
 * States that were added by this search are kept until their turn comes, as long as there is memory. The frontier hands
 * them out in the order they came in, so those that came last give way. A state that is not kept is reached by its
 * path.
 */
#include "engine/stateful/cartesian.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/keyset.h"
#include "engine/stateful/endless.h"
#include "engine/stateful/stage.h"
#include <string.h>

/* A state that is kept until its turn comes. */
struct waiting {
	uint32_t ticket; /* it was added with, */
	uint32_t state;  /* and its number, once that is known */
	uint32_t handle; /* MZ_NO_HANDLE: it was known already, and is not kept */
};

struct mz_cartesian {
	struct mz_cartesian_options options;
	const struct mz_stateful *program;
	const struct mz_frontier *frontier;
	struct mz_cartesian_counts counts;
	struct mz_stage stage;
	struct mz_vector vector;
	struct mz_solo observer; /* the solo of the thread that looks at the invariants */
	struct mz_solo **solos;  /* the solos of the stage, then the observer's */
	size_t solos_capacity;
	uint32_t first; /* handle of the first state */
	/* the kept states that wait to be looked at, in the order in which they were added, from `served` on; those from
	 * `confirmed` on have no numbers yet */
	struct waiting *waiting;
	size_t served, confirmed, nwaiting, waiting_capacity;
	uint32_t tickets;            /* how many states were added */
	uint32_t state, depth;       /* the state that is looked at */
	struct mz_prospect prospect; /* the prospect of that state */
	bool is_timed, any_timed;    /* in that state, or any: see struct mz_stateful */
	bool goes_alone;             /* from that state, the first thread that has a prefix goes to where it waits */
	struct mz_step *schedule;    /* the schedule that is handed to witness() */
	size_t schedule_length, schedule_capacity;
	uint32_t *ancestors;
	size_t ancestors_capacity;
	struct mz_keyset races; /* races that were reported */
	bool ended;
	enum mz_cartesian_end end;
};

static bool end(struct mz_cartesian *c, enum mz_cartesian_end how)
{
	c->ended = true;
	c->end = how;
	return false;
}

/* ---- states that wait ---- */

static void drop(struct mz_cartesian *c, uint32_t handle)
{
	if (c->stage.at == handle) c->stage.at = MZ_NO_HANDLE;
	c->program->drop_state(c->program->self, handle);
}

static bool make_room(void *self)
{
	struct mz_cartesian *c = self;
	uint32_t handle = MZ_NO_HANDLE;
	while (handle == MZ_NO_HANDLE && c->served < c->nwaiting) handle = c->waiting[--c->nwaiting].handle;
	if (c->confirmed > c->nwaiting) c->confirmed = c->nwaiting;
	if (handle == MZ_NO_HANDLE) return false;
	drop(c, handle);
	return true;
}

/* Returns the handle of a state whose turn it is, or MZ_NO_HANDLE if it is not kept. Drops the kept states before it:
 * other searches have taken them. */
static uint32_t call_up(struct mz_cartesian *c, uint32_t state)
{
	for (; c->served < c->confirmed && c->waiting[c->served].state < state; c->served++)
		if (c->waiting[c->served].handle != MZ_NO_HANDLE) drop(c, c->waiting[c->served].handle);
	bool is_kept = c->served < c->confirmed && c->waiting[c->served].state == state;
	return is_kept ? c->waiting[c->served++].handle : MZ_NO_HANDLE;
}

/* Makes room for one more waiting state. The front of the array is reused when it is most of it. */
static bool room_to_wait(struct mz_cartesian *c)
{
	if (c->served > c->nwaiting / 2 && c->nwaiting == c->waiting_capacity) {
		c->nwaiting -= c->served;
		c->confirmed -= c->served;
		memmove(c->waiting, c->waiting + c->served, c->nwaiting * sizeof *c->waiting);
		c->served = 0;
	}
	if (!mz_array_reserve(&c->waiting, &c->waiting_capacity, c->nwaiting + 1))
		return end(c, MZ_CARTESIAN_NO_MEMORY);
	return true;
}

/* Keeps the state that the program is in, which is about to be added, until its turn comes. `handle` is the one it is
 * kept by already, or MZ_NO_HANDLE. Returns false when there is no memory for the list. */
static bool line_up(struct mz_cartesian *c, uint32_t handle)
{
	bool too_many = c->options.max_kept && c->nwaiting - c->served >= c->options.max_kept;
	if (!room_to_wait(c)) return false;
	if (handle == MZ_NO_HANDLE && !too_many) handle = c->program->keep_state(c->program->self);
	if (handle == MZ_NO_HANDLE) return true;
	c->waiting[c->nwaiting++] = (struct waiting){.ticket = c->tickets, .handle = handle};
	return true;
}

/* Serves as told() of struct mz_frontier_client. A state that was known already, because it was added twice in a row or
 * another search was faster, is not kept any longer; it is no state that anybody calls up. */
static void told(void *self, uint32_t ticket, uint32_t state, bool is_new)
{
	struct mz_cartesian *c = self;
	if (c->confirmed == c->nwaiting || c->waiting[c->confirmed].ticket != ticket) return;
	struct waiting *waiting = &c->waiting[c->confirmed++];
	waiting->state = is_new ? state : 0;
	if (is_new) return;
	drop(c, waiting->handle);
	waiting->handle = MZ_NO_HANDLE;
}

/* ---- paths ---- */

void mz_cartesian_path(const struct mz_frontier *frontier, uint32_t state, struct mz_step *steps)
{
	uint32_t left = frontier->depth(frontier->self, state);
	struct mz_origin origin = frontier->origin(frontier->self, state);
	for (; origin.parent != MZ_NO_STATE; origin = frontier->origin(frontier->self, origin.parent)) {
		for (uint32_t n = 0; n < origin.steps; n++)
			steps[--left] = (struct mz_step){origin.thread, n ? 0 : origin.choice};
	}
}

/* Makes the program go to a state that is not kept, along its path. Returns false if it does not get there. */
static bool follow_path(struct mz_cartesian *c, uint32_t state)
{
	const struct mz_frontier *frontier = c->frontier;
	struct mz_origin origin = frontier->origin(frontier->self, state);
	size_t length = 0;
	for (; origin.parent != MZ_NO_STATE; origin = frontier->origin(frontier->self, state)) {
		if (!mz_array_reserve(&c->ancestors, &c->ancestors_capacity, length + 1))
			return end(c, MZ_CARTESIAN_NO_MEMORY);
		c->ancestors[length++] = state;
		state = origin.parent;
	}
	mz_stage_load(&c->stage, c->first);
	while (length > 0) {
		enum mz_halt halt;
		origin = frontier->origin(frontier->self, c->ancestors[--length]);
		if (!mz_stage_repeat(&c->stage, origin.thread, origin.steps, origin.choice, &halt)) return false;
	}
	return true;
}

/* ---- witnesses ---- */

static bool begin_schedule(struct mz_cartesian *c)
{
	if (!mz_array_reserve(&c->schedule, &c->schedule_capacity, (size_t)c->depth + 1))
		return end(c, MZ_CARTESIAN_NO_MEMORY);
	c->schedule_length = c->depth;
	mz_cartesian_path(c->frontier, c->state, c->schedule);
	return true;
}

static bool append(struct mz_cartesian *c, uint32_t thread, uint32_t steps, uint32_t choice)
{
	size_t length = c->schedule_length + steps;
	if (!mz_array_reserve(&c->schedule, &c->schedule_capacity, length + 1)) return end(c, MZ_CARTESIAN_NO_MEMORY);
	for (uint32_t n = 1; n <= steps; n++)
		c->schedule[c->schedule_length++] = (struct mz_step){thread, n == steps ? choice : 0};
	return true;
}

/* Hands the schedule to the program's witness(). With `on`, the bug shows when all threads have gone on for as long as
 * they can. Returns false if the search ends. */
static bool witness(struct mz_cartesian *c, bool on)
{
	if (c->schedule_length > c->options.max_steps) {
		c->counts.cut++;
		return true;
	}
	bool found = c->program->witness(c->program->self, c->schedule, (uint32_t)c->schedule_length, on);
	c->stage.at = MZ_NO_HANDLE;
	bool timed = !found && on && c->is_timed;
	c->counts.unshown += !found;
	c->counts.timed += timed;
	c->counts.found++;
	return timed || c->options.keep_going || end(c, MZ_CARTESIAN_FOUND);
}

/* Notes that the program fails or gets stuck in the state that is looked at, or that it is not known what follows. */
static void note_open(struct mz_cartesian *c)
{
	c->prospect.is_open = true;
}

/* Handles that the program did not do what it did before: an execution that follows the schedule will show the
 * difference. */
static bool diverge(struct mz_cartesian *c, uint32_t thread, uint32_t steps, uint32_t choice)
{
	note_open(c);
	c->stage.failure = MZ_STAGE_FINE;
	c->counts.cut++;
	return begin_schedule(c) && append(c, thread, steps, choice) && witness(c, false);
}

static struct mz_stage_thread *thread_of(const struct mz_cartesian *c, uint32_t thread)
{
	return c->stage.threads[thread];
}

/* Returns in how many ways the last step of a prefix can go. */
static uint32_t ways(const struct mz_stage_thread *thread)
{
	return thread->solo.length == thread->solo.nsteps ? thread->alternatives : 1;
}

/* Shows the race of two last steps to the program's witness(): both prefixes without them, then one after the other. */
static bool witness_race(struct mz_cartesian *c, struct mz_step first, struct mz_step second)
{
	return begin_schedule(c) && append(c, first.thread, thread_of(c, first.thread)->solo.length - 1, 0) &&
	       append(c, second.thread, thread_of(c, second.thread)->solo.length - 1, 0) &&
	       append(c, first.thread, 1, first.choice) && append(c, second.thread, 1, second.choice) &&
	       witness(c, false);
}

/* Reports the races that the vector found, one for each object and pair of threads. */
static bool report_races(struct mz_cartesian *c)
{
	for (size_t n = 0; c->options.races && n < c->vector.nraces; n++) {
		struct mz_meeting race = c->vector.races[n];
		uint32_t one = race.first.thread, other = race.second.thread;
		struct mz_key key = {race.object, mz_hash2(one, other) ^ mz_hash2(other, one)};
		bool is_new;
		if (!mz_keyset_add(&c->races, key, &is_new)) return end(c, MZ_CARTESIAN_NO_MEMORY);
		if (is_new && !witness_race(c, race.first, race.second)) return false;
	}
	return true;
}

/* Shows a prefix of steps that ends with a bug to the program's witness(). */
static bool witness_last(struct mz_cartesian *c, uint32_t thread, uint32_t steps, uint32_t choice)
{
	note_open(c);
	return begin_schedule(c) && append(c, thread, steps, choice) && witness(c, false);
}

static bool report_found(struct mz_cartesian *c)
{
	for (uint32_t t = 0; t < c->stage.nthreads; t++) {
		const struct mz_stage_thread *thread = thread_of(c, t);
		if (!thread->found || thread->solo.length < thread->solo.nsteps) continue;
		if (!witness_last(c, t, thread->solo.length, 0)) return false;
	}
	return true;
}

/* Returns whether nothing but the thread itself changes as it goes round. */
static bool only_looks(const struct mz_solo *solo)
{
	for (size_t n = solo->from; n < solo->nsteps; n++) {
		if (solo->steps[n].changes) return false;
	}
	return true;
}

static bool any_moves(const struct mz_cartesian *c)
{
	uint32_t t = 0;
	while (t < c->stage.nthreads && mz_solo_count_moves(&thread_of(c, t)->solo) == 0) t++;
	return t < c->stage.nthreads;
}

/* Shows to the program's witness() that all threads together get to where none of them goes on. */
static bool witness_stuck(struct mz_cartesian *c)
{
	note_open(c);
	if (!begin_schedule(c)) return false;
	for (uint32_t t = 0; t < c->stage.nthreads; t++) {
		if (!append(c, t, mz_solo_count_moves(&thread_of(c, t)->solo), 0)) return false;
	}
	return witness(c, true);
}

/* Reports a deadlock or a livelock if every thread gets, without meeting another, to where it is over, waits for ever,
 * or goes round for ever: then all of them together do. Going round counts if the thread only looks at what nobody is
 * left to change, and in any case if `endless` is set. A timer may be about to let threads go on that wait: that is seen
 * from the states on the way. */
static bool report_deadlock(struct mz_cartesian *c)
{
	bool anybody = false, all_idle = true;
	for (uint32_t t = 0; t < c->stage.nthreads; t++) {
		const struct mz_solo *solo = &thread_of(c, t)->solo;
		bool goes_round = solo->end == MZ_SOLO_LOOPED && (c->options.endless || only_looks(solo));
		bool stuck = mz_solo_ends_idle(solo) || goes_round;
		if (!solo->infinite || !stuck) return true;
		anybody |= solo->end != MZ_SOLO_OVER;
		all_idle &= !goes_round;
	}
	c->goes_alone = c->is_timed && all_idle && any_moves(c);
	c->prospect.ends |= !anybody && !c->goes_alone;
	return !anybody || c->prospect.ends || c->goes_alone || witness_stuck(c);
}

/* ---- successors ---- */

/* Adds the state that a prefix ends in. The program is in that state unless it is known already, which need not be found
 * out by going there if the key is given. `handle` is the one that the state is kept by, or MZ_NO_HANDLE. */
static bool add(struct mz_cartesian *c, struct mz_key key, const struct mz_origin *origin, bool is_known,
                uint32_t handle)
{
	const void *bytes = NULL;
	size_t size = 0;
	if (c->frontier->exact) bytes = c->program->bytes(c->program->self, &size);
	if (is_known || c->frontier->knows(c->frontier->self, key, bytes, size)) {
		if (handle != MZ_NO_HANDLE) drop(c, handle);
	} else if (!line_up(c, handle)) {
		return false;
	}
	return c->frontier->add(c->frontier->self, key, bytes, size, origin, c->tickets++) ||
	       end(c, MZ_CARTESIAN_NO_MEMORY);
}

/* Adds the state that a prefix ends in, with one of the alternatives of its last step, and reports a bug in that step;
 * report_found() has reported those of steps without alternatives. Returns false if the search ends. */
static bool add_last(struct mz_cartesian *c, uint32_t thread, uint32_t choice)
{
	const struct mz_stage_thread *t = thread_of(c, thread);
	uint32_t steps = mz_solo_count_moves(&t->solo), handle;
	const struct mz_origin origin = {c->state, thread, steps, choice};
	bool has_key = t->keyed && !c->frontier->exact && t->alternatives == 1;
	struct mz_key key = has_key ? t->keys[steps - 1] : (struct mz_key){0};
	enum mz_halt halt;
	if (has_key && c->frontier->knows(c->frontier->self, key, NULL, 0))
		return add(c, key, &origin, true, MZ_NO_HANDLE);
	handle = mz_stage_reach(&c->stage, thread, steps, choice, &halt);
	if (c->stage.failure) return diverge(c, thread, steps, choice);
	bool found = halt == MZ_HALT_FOUND;
	if (found && !c->program->goes_on) return witness_last(c, thread, steps, choice);
	if (!has_key) key = c->program->key(c->program->self);
	if (!add(c, key, &origin, false, handle)) return false;
	return !found || t->alternatives == 1 || witness_last(c, thread, steps, choice);
}

static bool add_successors(struct mz_cartesian *c)
{
	bool leads_nowhere = true;
	for (uint32_t t = 0; t < c->stage.nthreads; t++) {
		const struct mz_stage_thread *thread = thread_of(c, t);
		bool whole = thread->solo.length == thread->solo.nsteps;
		bool useless = whole && thread->found && !c->program->goes_on;
		bool infinite = thread->solo.infinite && !(c->goes_alone && leads_nowhere);
		if (infinite || mz_solo_count_moves(&thread->solo) == 0 || useless) continue;
		for (uint32_t choice = 0; choice < ways(thread); choice++) {
			if (!add_last(c, t, choice)) return false;
		}
		leads_nowhere = false;
	}
	c->counts.ends += leads_nowhere && !c->stage.cut;
	return true;
}

/* ---- a state ---- */

/* Makes the solo of the observer, a thread that looks at the invariants for ever, and reports an invariant that does
 * not hold. Returns false if the search ends. */
static bool observe(struct mz_cartesian *c)
{
	const struct mz_access *reads;
	size_t nreads = 0;
	bool holds = !c->program->holds || c->program->holds(c->program->self, &reads, &nreads);
	mz_solo_clear(&c->observer);
	if (nreads > 0 && !mz_solo_add_idle(&c->observer, MZ_SOLO_WAITS, reads, nreads, 1))
		return end(c, MZ_CARTESIAN_NO_MEMORY);
	return holds || (begin_schedule(c) && witness(c, false));
}

static bool gather(struct mz_cartesian *c)
{
	uint32_t nthreads = c->stage.nthreads;
	if (!mz_array_reserve(&c->solos, &c->solos_capacity, (size_t)nthreads + 1))
		return end(c, MZ_CARTESIAN_NO_MEMORY);
	for (uint32_t t = 0; t < nthreads; t++) c->solos[t] = &thread_of(c, t)->solo;
	c->solos[nthreads] = &c->observer;
	c->vector.solos = c->solos;
	c->vector.as_published = c->options.as_published;
	c->vector.literal = c->options.literal;
	c->vector.count = nthreads + (c->observer.nsteps > 0);
	return true;
}

static bool add_steps(void *self, uint32_t thread)
{
	struct mz_cartesian *c = self;
	if (c->options.stop && c->options.stop(c->options.stopper)) return end(c, MZ_CARTESIAN_STOPPED);
	return mz_stage_add_steps(&c->stage, thread);
}

static void count_steps(struct mz_cartesian *c)
{
	for (uint32_t t = 0; t < c->stage.nthreads; t++) {
		const struct mz_stage_thread *thread = thread_of(c, t);
		const struct mz_solo *solo = &thread->solo;
		uint32_t moves = mz_solo_count_moves(solo);
		c->counts.steps += (solo->end == MZ_SOLO_WAITS ? solo->length : moves) + ways(thread) - 1;
		if (c->options.prefix)
			c->options.prefix(c->options.watcher, c->state, t, moves, ways(thread), solo->infinite);
	}
	c->counts.cut += c->stage.cut;
}

static bool looks(const struct mz_solo *solo)
{
	if (solo->end == MZ_SOLO_WAITS || solo->end == MZ_SOLO_OVER) return false;
	for (size_t n = 0; n < solo->nsteps; n++)
		if (solo->steps[n].changes) return false;
	return true;
}

/* Notes what can follow from the state that is looked at, in which the process is `ending` or not. */
static void foresee(struct mz_cartesian *c, bool ending)
{
	c->prospect = (struct mz_prospect){.is_open = c->stage.cut, .ends = ending};
	for (uint32_t t = 0; t < c->stage.nthreads; t++) {
		c->prospect.ends |= thread_of(c, t)->ends;
		if (t < 64 && looks(&thread_of(c, t)->solo)) c->prospect.looks |= (uint64_t)1 << t;
	}
}

static bool open_stage(struct mz_cartesian *c, uint32_t handle)
{
	return mz_stage_open(&c->stage, handle, c->options.max_steps - c->depth) || end(c, MZ_CARTESIAN_NO_MEMORY);
}

static bool compute(struct mz_cartesian *c)
{
	const struct mz_soloist soloist = {c, add_steps};
	while (!mz_vector_compute(&c->vector, c->options.minimal, &soloist)) {
		if (c->ended) return false;
		if (c->stage.failure != MZ_STAGE_AGAIN) return end(c, MZ_CARTESIAN_NO_MEMORY);
		mz_stage_play_again(&c->stage);
	}
	return true;
}

static bool is_dropped(const struct mz_cartesian *c)
{
	return c->program->is_dropped && c->program->is_dropped(c->program->self);
}

static bool is_ending(const struct mz_cartesian *c)
{
	return c->program->is_ending && c->program->is_ending(c->program->self);
}

static bool expand(struct mz_cartesian *c, uint32_t handle)
{
	if (!open_stage(c, handle)) return false;
	if (is_dropped(c)) {
		c->counts.dropped++;
		c->prospect = (struct mz_prospect){.ends = true};
		return true;
	}
	bool ending = is_ending(c);
	c->goes_alone = false;
	c->is_timed = c->program->is_timed && c->program->is_timed(c->program->self);
	c->any_timed |= c->is_timed;
	if (!observe(c) || !gather(c) || !compute(c)) return false;
	c->counts.states++;
	count_steps(c);
	foresee(c, ending);
	return report_found(c) && report_races(c) && report_deadlock(c) && add_successors(c);
}

/* Handles a state that the program does not get to any more. */
static bool give_up(struct mz_cartesian *c)
{
	c->prospect = (struct mz_prospect){0};
	return diverge(c, 0, 0, 0);
}

static bool look_at(struct mz_cartesian *c, uint32_t state)
{
	c->state = state;
	c->depth = c->frontier->depth(c->frontier->self, state);
	bool is_first = c->frontier->origin(c->frontier->self, state).parent == MZ_NO_STATE;
	uint32_t handle = is_first ? c->first : call_up(c, state);
	if (handle == MZ_NO_HANDLE) {
		bool reached = follow_path(c, state);
		if (!reached && c->stage.failure == MZ_STAGE_DIVERGED) return give_up(c);
		handle = reached ? mz_stage_keep(&c->stage) : MZ_NO_HANDLE;
		if (handle == MZ_NO_HANDLE) return c->ended ? false : end(c, MZ_CARTESIAN_NO_MEMORY);
	}
	bool goes_on = expand(c, handle);
	mz_stage_close(&c->stage);
	if (!is_first) drop(c, handle);
	return goes_on;
}

/* ---- the search ---- */

/* Reports livelocks in the graph of states, once all of them are known. Returns false if the search ends with that. */
static bool report_endless(struct mz_cartesian *c)
{
	struct mz_endless endless;
	if (!c->options.endless || !c->frontier->whole(c->frontier->self)) return true;
	if (!mz_endless_find(c->frontier, &endless)) return end(c, MZ_CARTESIAN_NO_MEMORY);
	c->counts.never_ends = endless.how == MZ_ENDLESS_EVER || endless.how == MZ_ENDLESS_LOOKS;
	c->counts.looks = endless.thread;
	if (endless.how == MZ_ENDLESS_LOOKS) return end(c, MZ_CARTESIAN_LOOKS);
	if (endless.how != MZ_ENDLESS_STUCK) return true;
	c->is_timed = c->any_timed;
	c->state = endless.state;
	c->depth = c->frontier->depth(c->frontier->self, c->state);
	return begin_schedule(c) && witness(c, true);
}

static bool finish(struct mz_cartesian *c, uint32_t state)
{
	return c->frontier->done(c->frontier->self, state, c->prospect) || end(c, MZ_CARTESIAN_NO_MEMORY);
}

static bool add_first(struct mz_cartesian *c)
{
	const struct mz_frontier_client client = {c, told};
	const struct mz_origin origin = {.parent = MZ_NO_STATE};
	c->frontier->open(c->frontier->self, &client);
	c->first = mz_stage_keep(&c->stage);
	if (c->first == MZ_NO_HANDLE) return end(c, MZ_CARTESIAN_NO_MEMORY);
	/* it is kept all the time, and does not have to line up */
	return add(c, c->program->key(c->program->self), &origin, true, MZ_NO_HANDLE) && finish(c, MZ_NO_STATE);
}

static bool take(struct mz_cartesian *c, uint32_t *state)
{
	switch (c->frontier->take(c->frontier->self, state)) {
	case MZ_TAKEN: return true;
	case MZ_TAKEN_FULL: return end(c, MZ_CARTESIAN_FULL);
	case MZ_TAKEN_NO_MEMORY: return end(c, MZ_CARTESIAN_NO_MEMORY);
	default: return false;
	}
}

static void run(struct mz_cartesian *c)
{
	uint32_t state;
	if (add_first(c))
		while (take(c, &state) && look_at(c, state) && finish(c, state)) {}
	c->frontier->leave(c->frontier->self);
}

enum mz_cartesian_end mz_cartesian_run(struct mz_cartesian *c)
{
	if (!c->program->begin(c->program->self)) {
		if (is_dropped(c))
			c->counts.dropped++;
		else
			c->counts.ends++;
		c->program->witness(c->program->self, NULL, 0, false);
		return MZ_CARTESIAN_DONE;
	}
	run(c);
	if (c->ended) return c->end;
	return report_endless(c) ? MZ_CARTESIAN_DONE : c->end;
}

struct mz_cartesian *mz_cartesian_new(const struct mz_cartesian_options *options)
{
	struct mz_cartesian *c = mz_alloc(sizeof *c);
	if (!c) return NULL;
	*c = (struct mz_cartesian){.options = *options, .program = options->program, .frontier = options->frontier};
	c->first = MZ_NO_HANDLE;
	c->stage = (struct mz_stage){.program = options->program,
	                             .make_room = make_room,
	                             .self = c,
	                             .minimal = options->minimal,
	                             .as_published = options->as_published,
	                             .literal = options->literal};
	mz_stage_init(&c->stage);
	return c;
}

void mz_cartesian_free(struct mz_cartesian *c)
{
	if (!c) return;
	while (make_room(c)) {}
	if (c->first != MZ_NO_HANDLE) drop(c, c->first);
	mz_stage_release(&c->stage);
	mz_vector_release(&c->vector);
	mz_solo_release(&c->observer);
	mz_keyset_release(&c->races);
	mz_free(c->solos);
	mz_free(c->waiting);
	mz_free(c->schedule);
	mz_free(c->ancestors);
	mz_free(c);
}

struct mz_cartesian_counts mz_cartesian_counts(const struct mz_cartesian *c)
{
	return c->counts;
}
