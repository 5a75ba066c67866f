/* SPDX-License-Identifier: MIT */
#include "reach.h"
#include <stdlib.h>

struct state {
	struct machine machine;
	struct graph_key key;  /* of everything */
	struct graph_key rest; /* of what lasts: not of where the threads are that are still going */
	bool moves;            /* something that lasts can still change */
};

struct transition {
	size_t from, to;
};

struct space {
	struct state *states;
	size_t count, capacity;
	size_t *places; /* open addressing: index + 1 */
	size_t nplaces;
	struct transition *transitions;
	size_t ntransitions, transitions_capacity;
};

static void *grow(void *block, size_t *capacity, size_t need, size_t size)
{
	if (need <= *capacity) return block;
	*capacity = *capacity ? 2 * *capacity : 256;
	block = realloc(block, *capacity * size);
	if (!block) abort();
	return block;
}

static uint64_t scramble(uint64_t x)
{
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93ULL;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93ULL;
	return x ^ x >> 32;
}

static void mix(struct graph_key *key, uint64_t word)
{
	key->a = scramble(key->a + word + 0x9e3779b97f4a7c15ULL);
	key->b = scramble((key->b ^ word) * 3 + 0x632be59bd9b4e019ULL);
}

static struct graph_key key_of_rest(const struct machine *m)
{
	const struct script *s = m->script;
	struct graph_key key = {0};
	for (uint32_t n = 0; n < s->nwords; n++) mix(&key, m->words[n]);
	for (uint32_t n = 0; n < s->nmutexes; n++) mix(&key, m->held[n]);
	for (uint32_t n = 0; n < s->nconditions; n++) {
		mix(&key, m->nwaiting[n]);
		for (uint32_t i = 0; i < m->nwaiting[n]; i++) mix(&key, m->waiting[(size_t)n * s->nthreads + i]);
	}
	for (uint32_t t = 0; t < s->nthreads; t++) mix(&key, m->threads[t].status);
	return key;
}

/* Of what decides whether the thread may go on. */
static void mix_reads(struct graph_key *key, const struct machine_thread *thread)
{
	mix(key, thread->nreads);
	for (uint32_t n = 0; n < thread->nreads; n++) {
		const struct machine_read *read = &thread->reads[n];
		mix(key, (uint64_t)read->pc << 32 | read->turns);
		mix(key, (uint64_t)(thread->events - read->event) << 2 | read->returns << 1 | read->outdated);
		mix(key, read->access.object << 16 | read->access.mask << 8 | read->access.kind);
	}
}

static struct graph_key key_of(const struct machine *m, struct graph_key rest)
{
	for (uint32_t t = 0; t < m->script->nthreads; t++) {
		const struct machine_thread *thread = &m->threads[t];
		mix(&rest, (uint64_t)thread->pc << 32 | thread->turns);
		mix(&rest, thread->target);
		mix(&rest, thread->value);
		if (!m->script->unrolled) mix_reads(&rest, thread);
	}
	return rest;
}

static bool same(struct graph_key a, struct graph_key b)
{
	return a.a == b.a && a.b == b.b;
}

static size_t *place_of(const struct space *space, struct graph_key key)
{
	size_t i = key.a & (space->nplaces - 1);
	while (space->places[i] && !same(space->states[space->places[i] - 1].key, key))
		i = (i + 1) & (space->nplaces - 1);
	return &space->places[i];
}

static void make_room(struct space *space)
{
	size_t before = space->capacity;
	space->states = grow(space->states, &space->capacity, space->count + 1, sizeof *space->states);
	if (space->capacity == before) return;
	free(space->places);
	space->nplaces = 2 * space->capacity;
	space->places = calloc(space->nplaces, sizeof *space->places);
	if (!space->places) abort();
	for (size_t n = 0; n < space->count; n++) *place_of(space, space->states[n].key) = n + 1;
}

/* Takes over the machine, or releases it if its state is there already. Returns which state it is. */
static size_t add(struct space *space, struct machine *machine)
{
	struct state state = {.machine = *machine, .rest = key_of_rest(machine)};
	state.key = key_of(machine, state.rest);
	make_room(space);
	size_t *place = place_of(space, state.key);
	if (*place) {
		machine_release(machine);
	} else {
		space->states[space->count++] = state;
		*place = space->count;
	}
	return *place - 1;
}

static struct graph_key key_of_step(const struct machine *before, struct mz_step step, const struct machine *after)
{
	const struct machine_thread *was = &before->threads[step.thread];
	struct graph_key key = {0};
	mix(&key, (uint64_t)step.thread << 32 | step.choice);
	mix(&key, (uint64_t)was->pc << 32 | was->turns);
	mix(&key, was->status);
	mix(&key, after->threads[step.thread].value);
	return key;
}

static void follow(struct space *space, size_t from, struct mz_step step, struct reach *reach)
{
	struct mz_access accesses[MACHINE_ACCESSES];
	struct machine next;
	machine_copy(&next, &space->states[from].machine);
	machine_step(&next, step, accesses);
	graph_set_add(&reach->steps, key_of_step(&space->states[from].machine, step, &next));
	size_t to = add(space, &next);
	space->transitions =
	    grow(space->transitions, &space->transitions_capacity, space->ntransitions + 1, sizeof *space->transitions);
	space->transitions[space->ntransitions++] = (struct transition){from, to};
}

static void expand(struct space *space, size_t from, struct reach *reach)
{
	machine_look(&space->states[from].machine);
	for (uint32_t t = 0; t < space->states[from].machine.script->nthreads; t++) {
		struct mz_pending pending = space->states[from].machine.pending[t];
		if (pending.status != MZ_THREAD_ENABLED) continue;
		for (uint32_t c = 0; c < pending.alternatives; c++) follow(space, from, (struct mz_step){t, c}, reach);
	}
}

/* A state moves if something that lasts changes in its next step, or the state after that moves. */
static void find_ends(struct space *space, struct reach *reach)
{
	for (bool more = true; more;) {
		more = false;
		for (size_t n = space->ntransitions; n > 0; n--) {
			struct state *from = &space->states[space->transitions[n - 1].from];
			const struct state *to = &space->states[space->transitions[n - 1].to];
			if (from->moves || (!to->moves && same(from->rest, to->rest))) continue;
			from->moves = more = true;
		}
	}
	for (size_t n = 0; n < space->count; n++) {
		const struct state *state = &space->states[n];
		if (state->moves) continue;
		graph_set_add(&reach->ends, state->rest);
		reach->stuck += !machine_all_done(&state->machine);
	}
}

bool reach_all(const struct script *script, bool unrolled, size_t limit, struct reach *reach)
{
	*reach = (struct reach){0};
	struct script copy = *script;
	copy.unrolled = unrolled;
	struct space space = {0};
	struct machine first;
	machine_init(&first, &copy);
	add(&space, &first);
	for (size_t n = 0; n < space.count && space.count <= limit; n++) expand(&space, n, reach);
	bool complete = space.count <= limit;
	if (complete) find_ends(&space, reach);
	for (size_t n = 0; n < space.count; n++) machine_release(&space.states[n].machine);
	free(space.states);
	free(space.places);
	free(space.transitions);
	graph_set_sort(&reach->steps);
	graph_set_sort(&reach->ends);
	return complete;
}

void reach_release(struct reach *reach)
{
	graph_set_release(&reach->steps);
	graph_set_release(&reach->ends);
}
