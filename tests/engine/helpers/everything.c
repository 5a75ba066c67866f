/* SPDX-License-Identifier: MIT */
#include "everything.h"
#include <stdlib.h>
#include <string.h>

/* --- sets --- */

void words_add(struct words *w, uint64_t word)
{
	if (w->count == w->capacity) {
		w->capacity = w->capacity ? 2 * w->capacity : 64;
		w->at = realloc(w->at, w->capacity * sizeof *w->at);
		if (!w->at) abort();
	}
	w->at[w->count++] = word;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

void words_sort(struct words *w)
{
	size_t left = 0;
	if (w->count) qsort(w->at, w->count, sizeof *w->at, compare);
	for (size_t n = 0; n < w->count; n++) {
		if (left == 0 || w->at[left - 1] != w->at[n]) w->at[left++] = w->at[n];
	}
	w->count = left;
}

bool words_equal(const struct words *a, const struct words *b)
{
	return a->count == b->count && (a->count == 0 || memcmp(a->at, b->at, a->count * sizeof *a->at) == 0);
}

void words_release(struct words *w)
{
	free(w->at);
	*w = (struct words){0};
}

/* --- footprints --- */

struct footprint footprint_of(const struct mz_stride *stride)
{
	struct footprint f = {.visible = stride->event.naccesses, .races = stride->races};
	memcpy(f.accesses, stride->event.accesses, f.visible * sizeof *f.accesses);
	if (stride->nplain) memcpy(f.accesses + f.visible, stride->plain, stride->nplain * sizeof *f.accesses);
	f.count = f.visible + stride->nplain;
	return f;
}

bool footprints_conflict(const struct footprint *a, const struct footprint *b)
{
	for (size_t n = 0; n < a->count; n++) {
		for (size_t k = 0; k < b->count; k++) {
			if (mz_accesses_conflict(&a->accesses[n], &b->accesses[k])) return true;
		}
	}
	return false;
}

void footprints_race(const struct footprint *a, const struct footprint *b, struct words *objects)
{
	bool ordered = false;
	for (size_t n = 0; n < a->visible; n++) {
		for (size_t k = 0; k < b->visible; k++)
			ordered |= mz_accesses_conflict(&a->accesses[n], &b->accesses[k]);
	}
	for (size_t n = 0; n < a->count; n++) {
		for (size_t k = 0; k < b->count; k++) {
			if (!mz_accesses_conflict(&a->accesses[n], &b->accesses[k])) continue;
			bool plain = n >= a->visible || k >= b->visible;
			if (plain ? !ordered : a->races || b->races) words_add(objects, a->accesses[n].object);
		}
	}
}

/* --- all states --- */

struct space {
	size_t width;
	uint64_t *states;
	size_t count, capacity;
	size_t *places; /* open addressing: number + 1 */
	size_t nplaces;
	size_t most;
};

static size_t *place_of(const struct space *s, const uint64_t *state)
{
	uint64_t hash = 14695981039346656037ULL;
	for (size_t n = 0; n < s->width; n++) hash = (hash ^ state[n]) * 1099511628211ULL, hash ^= hash >> 29;
	size_t i = hash & (s->nplaces - 1);
	while (s->places[i] && memcmp(s->states + (s->places[i] - 1) * s->width, state, s->width * sizeof *state) != 0)
		i = (i + 1) & (s->nplaces - 1);
	return &s->places[i];
}

static void add_state(struct space *s, const struct machine *m)
{
	uint64_t *state = s->states + s->count * s->width;
	if (s->count > s->most) return;
	machine_store(m, state);
	size_t *place = place_of(s, state);
	if (!*place) *place = ++s->count;
}

struct possible {
	uint32_t thread;
	struct footprint footprint;
};

/* One step from a state: `possible` has it. */
static void try_step(struct space *s, struct machine *m, const uint64_t *state, struct mz_step step,
                     struct everything *found, struct possible *possible)
{
	struct mz_access accesses[MACHINE_ACCESSES + 1];
	struct mz_stride stride;
	machine_load(m, state);
	stateful_step(m, step, accesses, &stride);
	found->transitions++;
	*possible = (struct possible){step.thread, footprint_of(&stride)};
	if (m->failed)
		words_add(&found->failures, (uint64_t)m->failed_thread << 32 | m->failed_pc);
	else
		add_state(s, m);
}

static void compare_steps(const struct possible *possible, size_t count, struct everything *found)
{
	for (size_t n = 0; n < count; n++) {
		for (size_t k = 0; k < n; k++) {
			if (possible[n].thread == possible[k].thread) continue;
			footprints_race(&possible[n].footprint, &possible[k].footprint, &found->races);
		}
	}
}

#define POSSIBLE_MAX 64

static void look_at(struct space *s, struct machine *m, const uint64_t *state, struct everything *found)
{
	struct possible possible[POSSIBLE_MAX];
	struct mz_access waits[MZ_WAITS_MAX], reads[2];
	size_t count = 0, nreads;
	bool blocked = false;
	machine_load(m, state);
	found->violations += !machine_holds(m, reads, &nreads);
	for (uint32_t t = 0; t < m->script->nthreads; t++) {
		uint16_t nwaits;
		machine_load(m, state);
		words_add(&found->locals, machine_local(m, t));
		enum mz_halt halt = stateful_halt(m, t, waits, &nwaits);
		found->waits += m->threads[t].status == MACHINE_WAITING;
		found->choices += halt == MZ_HALT_CHOICE;
		if (halt == MZ_HALT_BLOCKED) found->transitions++, blocked = true;
		if (halt != MZ_HALT_ENOUGH && halt != MZ_HALT_CHOICE) continue;
		uint32_t alternatives = m->view.pending[t].alternatives;
		for (uint32_t choice = 0; choice < alternatives; choice++) {
			if (count == POSSIBLE_MAX) abort();
			try_step(s, m, state, (struct mz_step){t, choice}, found, &possible[count++]);
		}
	}
	found->deadlocks += count == 0 && blocked;
	compare_steps(possible, count, found);
}

bool everything_find(const struct script *script, size_t most, struct everything *found)
{
	struct machine m;
	struct space s = {.width = machine_size(script), .nplaces = 256, .most = most};
	*found = (struct everything){0};
	while (s.nplaces < 4 * most) s.nplaces *= 2;
	s.states = calloc(most + 2, s.width * sizeof *s.states);
	s.places = calloc(s.nplaces, sizeof *s.places);
	if (!s.states || !s.places) abort();
	machine_init(&m, script);
	bool begins = !m.failed;
	if (begins) add_state(&s, &m);
	for (size_t n = 0; n < s.count && s.count <= most; n++) look_at(&s, &m, s.states + n * s.width, found);
	found->states = s.count;
	words_sort(&found->locals);
	words_sort(&found->failures);
	words_sort(&found->races);
	free(s.states);
	free(s.places);
	machine_release(&m);
	return begins && s.count <= most;
}

void everything_release(struct everything *found)
{
	words_release(&found->locals);
	words_release(&found->failures);
	words_release(&found->races);
}
