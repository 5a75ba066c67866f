/* SPDX-License-Identifier: MIT */
#include "engine/stateful/stage.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"
#include "base/hash.h"
#include <string.h>

#define PHASE_FIRST 8
#define PHASE_MAX 4096
#define LOOPS_FROM 8 /* number of steps after which loops are looked for: most prefixes are shorter */

static bool fail(struct mz_stage *stage, enum mz_stage_failure failure)
{
	stage->failure = (uint8_t)failure;
	return false;
}

/* ---- states ---- */

void mz_stage_init(struct mz_stage *stage)
{
	stage->at = stage->home = MZ_NO_HANDLE;
	stage->keyed = stage->minimal || stage->program->keys_are_cheap;
}

uint32_t mz_stage_keep(struct mz_stage *stage)
{
	const struct mz_stateful *program = stage->program;
	uint32_t handle = program->keep_state(program->self);
	while (handle == MZ_NO_HANDLE && stage->make_room(stage->self)) handle = program->keep_state(program->self);
	if (handle == MZ_NO_HANDLE)
		fail(stage, MZ_STAGE_NO_MEMORY);
	else
		stage->at = handle;
	return handle;
}

void mz_stage_load(struct mz_stage *stage, uint32_t handle)
{
	if (stage->at == handle) return;
	stage->program->load_state(stage->program->self, handle);
	stage->at = handle;
}

static void drop(struct mz_stage *stage, uint32_t handle)
{
	if (stage->at == handle) stage->at = MZ_NO_HANDLE;
	stage->program->drop_state(stage->program->self, handle);
}

static bool same_keys(struct mz_key a, struct mz_key b)
{
	return a.low == b.low && a.high == b.high;
}

/* ---- opening and closing ---- */

static bool make_threads(struct mz_stage *stage, uint32_t count)
{
	if (!mz_array_reserve(&stage->threads, &stage->threads_capacity, count)) return false;
	while (stage->made < count) {
		struct mz_stage_thread *thread = mz_alloc(sizeof *thread);
		if (!thread) return false;
		*thread = (struct mz_stage_thread){0};
		stage->threads[stage->made++] = thread;
	}
	return true;
}

/* Begins the solo of a thread: nothing is known of what it does. */
static void begin(const struct mz_stage *stage, struct mz_stage_thread *thread, bool keyed)
{
	mz_solo_clear(&thread->solo);
	thread->cycle = (struct mz_stage_cycle){0};
	thread->found = thread->ends = false;
	thread->keyed = keyed;
	thread->alternatives = 1;
	thread->phase = stage->minimal ? 1 : PHASE_FIRST;
}

static void drop_kept(struct mz_stage *stage, struct mz_stage_thread *thread)
{
	while (thread->nkept > 0) drop(stage, thread->kept[--thread->nkept].handle);
}

bool mz_stage_open(struct mz_stage *stage, uint32_t home, uint32_t allowed)
{
	stage->home = home;
	stage->allowed = allowed;
	stage->cut = false;
	mz_stage_load(stage, home);
	uint32_t nthreads = stage->program->view(stage->program->self)->nthreads;
	if (!make_threads(stage, nthreads)) return fail(stage, MZ_STAGE_NO_MEMORY);
	stage->nthreads = nthreads;
	for (uint32_t t = 0; t < stage->nthreads; t++) begin(stage, stage->threads[t], stage->keyed);
	mz_table_clear(&stage->seen);
	if (stage->keyed && !stage->minimal) stage->home_key = stage->program->key(stage->program->self);
	return true;
}

void mz_stage_play_again(struct mz_stage *stage)
{
	stage->failure = MZ_STAGE_FINE;
	mz_stage_load(stage, stage->home);
	stage->home_key = stage->program->key(stage->program->self);
	drop_kept(stage, stage->current);
	begin(stage, stage->current, true);
}

void mz_stage_close(struct mz_stage *stage)
{
	for (uint32_t t = 0; t < stage->nthreads; t++) drop_kept(stage, stage->threads[t]);
	stage->nthreads = 0;
}

void mz_stage_release(struct mz_stage *stage)
{
	mz_stage_close(stage);
	for (size_t t = 0; t < stage->made; t++) {
		struct mz_stage_thread *thread = stage->threads[t];
		mz_solo_release(&thread->solo);
		mz_free(thread->kept);
		mz_free(thread->keys);
		mz_free(thread);
	}
	mz_free(stage->threads);
	mz_table_release(&stage->seen);
}

/* ---- states that come back ---- */

/* Returns whether the state after a solo's last step is one that the solo was in before, home included. */
static bool seen_before(struct mz_stage *stage, uint32_t t)
{
	struct mz_stage_thread *thread = stage->threads[t];
	uint32_t position = (uint32_t)thread->solo.nsteps - 1;
	struct mz_key key = thread->keys[position];
	thread->solo.from = 0;
	if (same_keys(key, stage->home_key)) return true;
	uint64_t hash = mz_hash2(mz_hash2(key.low, key.high), t);
	uint32_t from = (uint32_t)mz_table_find_or_add(&stage->seen, hash, position + 1UL);
	if (!from) return fail(stage, MZ_STAGE_NO_MEMORY);
	thread->solo.from = from;
	return from != position + 1 && same_keys(thread->keys[from - 1], key);
}

static bool note_key(struct mz_stage *stage, struct mz_stage_thread *thread)
{
	if (!mz_array_reserve(&thread->keys, &thread->keys_capacity, thread->solo.nsteps))
		return fail(stage, MZ_STAGE_NO_MEMORY);
	thread->keys[thread->solo.nsteps - 1] = stage->program->key(stage->program->self);
	return true;
}

static bool local_matches(struct mz_stage_cycle *cycle, uint64_t local)
{
	bool matches = cycle->has_local && cycle->local == local;
	if (!cycle->has_local || ++cycle->steps >= cycle->all_steps) {
		cycle->all_steps = cycle->all_steps ? 2 * cycle->all_steps : 1;
		cycle->steps = 0;
		if (!matches) {
			cycle->local = local;
			cycle->has_local = true;
			cycle->has_key = false;
			cycle->all_matches = 0;
		}
	}
	return matches;
}

static bool key_matches(struct mz_stage_cycle *cycle, struct mz_key key)
{
	if (cycle->has_key && same_keys(cycle->key, key)) return true;
	if (!cycle->has_key || ++cycle->matches >= cycle->all_matches) {
		cycle->all_matches = cycle->all_matches ? 2 * cycle->all_matches : 1;
		cycle->matches = 0;
		cycle->key = key;
		cycle->has_key = true;
	}
	return false;
}

static bool comes_back(struct mz_stage *stage, uint32_t t)
{
	struct mz_stage_thread *thread = stage->threads[t];
	struct mz_stage_cycle *cycle = &thread->cycle;
	if (stage->minimal) return false;
	if (thread->keyed) return seen_before(stage, t);
	if (!cycle->matched || !key_matches(cycle, stage->program->key(stage->program->self))) return false;
	return fail(stage, MZ_STAGE_AGAIN);
}

/* ---- solos ---- */

static bool watch(void *self, const struct mz_stride *stride)
{
	struct mz_stage *stage = self;
	struct mz_stage_thread *thread = stage->current;
	thread->ends |= stride->ends;
	if (!mz_solo_add(&thread->solo, stride)) return fail(stage, MZ_STAGE_NO_MEMORY);
	if (thread->keyed || thread->solo.nsteps <= LOOPS_FROM) return true;
	thread->cycle.matched = local_matches(&thread->cycle, stride->local);
	return !thread->cycle.matched;
}

static bool watch_alternative(void *self, const struct mz_stride *stride)
{
	struct mz_stage *stage = self;
	stage->current->ends |= stride->ends;
	if (!mz_solo_add_alternative(&stage->current->solo, stride)) return fail(stage, MZ_STAGE_NO_MEMORY);
	return true;
}

static enum mz_halt run_thread(struct mz_stage *stage, uint32_t t, uint32_t choice, uint32_t most,
                               bool (*watcher)(void *, const struct mz_stride *))
{
	struct mz_stage_thread *thread = stage->threads[t];
	size_t nsteps = thread->solo.nsteps;
	const struct mz_watcher watches = {.self = stage,
	                                   .step = watcher,
	                                   .unasked = thread->keyed         ? UINT32_MAX
	                                              : nsteps < LOOPS_FROM ? (uint32_t)(LOOPS_FROM - nsteps)
	                                                                    : 0};
	stage->at = MZ_NO_HANDLE;
	stage->current = thread;
	return stage->program->run_thread(stage->program->self, t, choice, most, &watches);
}

/* Records a step that has several alternatives: it touches what any of them touches, and is the last of its solo.
 * Returns false on failure. */
static bool run_alternatives(struct mz_stage *stage, uint32_t t, uint32_t from)
{
	struct mz_stage_thread *thread = stage->threads[t];
	uint32_t alternatives = stage->program->view(stage->program->self)->pending[t].alternatives;
	for (uint32_t choice = 0; choice < alternatives && !stage->failure; choice++) {
		mz_stage_load(stage, from);
		run_thread(stage, t, choice, 1, choice ? watch_alternative : watch);
	}
	thread->alternatives = alternatives;
	thread->solo.end = MZ_SOLO_LAST;
	return !stage->failure;
}

/* Keeps the state after the thread's last recorded step, so that the thread can go on from there later. */
static bool remember(struct mz_stage *stage, struct mz_stage_thread *thread)
{
	if (stage->minimal) return true;
	if (!mz_array_reserve(&thread->kept, &thread->kept_capacity, thread->nkept + 1))
		return fail(stage, MZ_STAGE_NO_MEMORY);
	uint32_t handle = mz_stage_keep(stage);
	if (handle == MZ_NO_HANDLE) return false;
	thread->kept[thread->nkept++] = (struct mz_stage_kept){(uint32_t)thread->solo.nsteps, handle};
	return true;
}

/* Ends the solo with an idle step, because the thread waits or is over, after a step or from the start. */
static bool idle(struct mz_stage *stage, uint32_t t, enum mz_halt halt)
{
	struct mz_stage_thread *thread = stage->threads[t];
	struct mz_access waits[MZ_WAITS_MAX];
	uint16_t nwaits = 0;
	if (halt == MZ_HALT_BLOCKED) stage->program->thread_halt(stage->program->self, t, waits, &nwaits);
	enum mz_solo_end end = halt == MZ_HALT_BLOCKED ? MZ_SOLO_WAITS : MZ_SOLO_OVER;
	/* literally, a step is looked at as one that leads back before it is taken, except for the first of a vector */
	bool once = stage->minimal || (stage->literal && thread->solo.nsteps > 0);
	unsigned times = stage->as_published && !once ? 2 : 1;
	return mz_solo_add_idle(&thread->solo, end, waits, nwaits, times) || fail(stage, MZ_STAGE_NO_MEMORY);
}

static bool conclude(struct mz_stage *stage, uint32_t t, enum mz_halt halt)
{
	struct mz_stage_thread *thread = stage->threads[t];
	if (halt == MZ_HALT_MET || halt == MZ_HALT_FOUND) {
		thread->found = halt == MZ_HALT_FOUND;
		thread->solo.end = MZ_SOLO_LAST;
		return true;
	}
	if (halt == MZ_HALT_BLOCKED || halt == MZ_HALT_OVER) return idle(stage, t, halt);
	return remember(stage, thread);
}

static uint32_t next_phase(struct mz_stage *stage, struct mz_stage_thread *thread)
{
	uint32_t phase = thread->phase, allowed = stage->allowed - (uint32_t)thread->solo.nsteps;
	if (thread->phase < PHASE_MAX) thread->phase *= 2;
	return phase < allowed ? phase : allowed;
}

static bool run_phase(struct mz_stage *stage, uint32_t t)
{
	struct mz_stage_thread *thread = stage->threads[t];
	struct mz_solo *solo = &thread->solo;
	size_t until = solo->nsteps + next_phase(stage, thread);
	enum mz_halt halt = MZ_HALT_ENOUGH;
	while (halt == MZ_HALT_ENOUGH && solo->nsteps < until) {
		size_t before = solo->nsteps;
		halt = run_thread(stage, t, 0, thread->keyed ? 1 : (uint32_t)(until - before), watch);
		if (stage->failure) return false;
		if (halt == MZ_HALT_FOUND && !stage->program->goes_on) break;
		MZ_REQUIRE(solo->nsteps > before);
		if (thread->keyed && !note_key(stage, thread)) return false;
		if (halt != MZ_HALT_MET && halt != MZ_HALT_FOUND && comes_back(stage, t)) {
			solo->end = MZ_SOLO_LOOPED;
			return true;
		}
		if (stage->failure) return false;
	}
	return conclude(stage, t, halt);
}

bool mz_stage_add_steps(void *self, uint32_t t)
{
	struct mz_stage *stage = self;
	struct mz_stage_thread *thread = stage->threads[t];
	uint32_t from = thread->nkept ? thread->kept[thread->nkept - 1].handle : stage->home;
	struct mz_access waits[MZ_WAITS_MAX];
	uint16_t nwaits = 0;
	mz_stage_load(stage, from);
	enum mz_halt halt = stage->program->thread_halt(stage->program->self, t, waits, &nwaits);
	if (halt == MZ_HALT_BLOCKED || halt == MZ_HALT_OVER) return idle(stage, t, halt);
	if (thread->solo.nsteps == stage->allowed) {
		thread->solo.end = MZ_SOLO_LAST;
		stage->cut |= stage->allowed == 0;
		return true;
	}
	return halt == MZ_HALT_CHOICE ? run_alternatives(stage, t, from) : run_phase(stage, t);
}

/* ---- doing it again ---- */

static bool count(void *self, const struct mz_stride *stride)
{
	uint32_t *steps = self;
	(void)stride;
	++*steps;
	return true;
}

/* The program stops before a step that has alternatives, unless that step is the first: so such a last step is made by
 * itself. */
bool mz_stage_repeat(struct mz_stage *stage, uint32_t t, uint32_t steps, uint32_t choice, enum mz_halt *halt)
{
	const struct mz_stateful *program = stage->program;
	uint32_t made = 0, at_once = choice ? steps - 1 : steps;
	const struct mz_watcher watcher = {.self = &made, .step = count, .unasked = UINT32_MAX};
	stage->at = MZ_NO_HANDLE;
	if (at_once) *halt = program->run_thread(program->self, t, 0, at_once, &watcher);
	if (made + 1 == steps) *halt = program->run_thread(program->self, t, choice, 1, &watcher);
	return made == steps || fail(stage, MZ_STAGE_DIVERGED);
}

uint32_t mz_stage_reach(struct mz_stage *stage, uint32_t t, uint32_t position, uint32_t choice, enum mz_halt *halt)
{
	struct mz_stage_thread *thread = stage->threads[t];
	size_t n = thread->nkept;
	while (n > 0 && thread->kept[n - 1].position > position) n--;
	struct mz_stage_kept from = n ? thread->kept[n - 1] : (struct mz_stage_kept){0, stage->home};
	*halt = MZ_HALT_ENOUGH;
	mz_stage_load(stage, from.handle);
	if (from.position < position) {
		mz_stage_repeat(stage, t, position - from.position, choice, halt);
		return MZ_NO_HANDLE;
	}
	memmove(thread->kept + n - 1, thread->kept + n, (thread->nkept - n) * sizeof *thread->kept);
	thread->nkept--;
	return from.handle;
}
