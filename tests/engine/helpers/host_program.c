/* SPDX-License-Identifier: MIT */
#include "host_program.h"
#include <stdio.h>
#include <string.h>

/* ---- chance ---- */

static uint64_t state_of_chance;

unsigned host_chance(unsigned n)
{
	state_of_chance ^= state_of_chance << 13;
	state_of_chance ^= state_of_chance >> 7;
	state_of_chance ^= state_of_chance << 17;
	return (unsigned)(state_of_chance >> 11) % n;
}

void host_seed(uint64_t seed)
{
	state_of_chance = (seed + 1) * 0x9e3779b97f4a7c15ULL;
	for (int k = 0; k < 10; k++) host_chance(2);
}

#define chance host_chance

/* ---- programs ---- */

static void add(struct host_program *p, unsigned thread, enum host_op_kind kind, unsigned what)
{
	if (p->length[thread] < HOST_OPS) p->ops[thread][p->length[thread]++] = (struct host_op){kind, what, false};
}

/* Adds an operation to the step before. */
static void glue(struct host_program *p, unsigned thread, enum host_op_kind kind, unsigned what)
{
	unsigned before = p->length[thread];
	add(p, thread, kind, what);
	if (p->length[thread] > before) p->ops[thread][before].glued = before > 0;
}

static bool has_room(const struct host_program *p, unsigned thread)
{
	return p->length[thread] + 6 <= HOST_OPS;
}

static void add_access(struct host_program *p, unsigned thread)
{
	static const enum host_op_kind kinds[] = {READ, READ, WRITE, WRITE, WEAK_READ, WEAK_WRITE, BOTH, NOTHING};
	add(p, thread, kinds[chance(chance(4) ? 4 : 8)], chance(HOST_OBJECTS));
}

static void add_section(struct host_program *p, unsigned thread)
{
	unsigned outer = chance(HOST_LOCKS), inner = chance(HOST_LOCKS);
	if (!has_room(p, thread)) return;
	add(p, thread, ACQUIRE, outer);
	if (chance(2)) add_access(p, thread);
	if (inner != outer && chance(2)) {
		add(p, thread, ACQUIRE, inner);
		add(p, thread, RELEASE, inner);
	}
	add(p, thread, RELEASE, outer);
}

static void add_wait(struct host_program *p, unsigned thread)
{
	static const enum host_op_kind kinds[] = {SET, AWAIT, POST, TAKE, TAKE, CLEAR};
	enum host_op_kind kind = kinds[chance(p->tells || chance(3) == 0 ? 6 : 5)];
	bool flag = kind == SET || kind == AWAIT || kind == CLEAR;
	add(p, thread, kind, chance(flag ? HOST_FLAGS : HOST_SEMAPHORES));
}

static void glue_access(struct host_program *p, unsigned thread)
{
	static const enum host_op_kind kinds[] = {READ, WRITE, WRITE, WEAK_WRITE};
	glue(p, thread, kinds[chance(4)], chance(HOST_OBJECTS));
}

/* Adds locks whose steps do more than to get them or to give them back. */
static void add_glued_locks(struct host_program *p, unsigned thread)
{
	unsigned lock = chance(HOST_LOCKS), other = (lock + 1) % HOST_LOCKS;
	bool whole = chance(2), hand_over = !whole && chance(3) == 0;
	add(p, thread, ACQUIRE, lock);
	if (whole || chance(2)) glue_access(p, thread);
	if (whole) {
		glue(p, thread, RELEASE, lock);
		return;
	}
	if (chance(2)) add_access(p, thread);
	if (hand_over) {
		add(p, thread, RELEASE, lock);
		glue(p, thread, ACQUIRE, other);
		lock = other;
	}
	if (chance(2)) {
		add(p, thread, WRITE, chance(HOST_OBJECTS));
		glue(p, thread, RELEASE, lock);
	} else {
		add(p, thread, RELEASE, lock);
		if (chance(2)) glue_access(p, thread);
	}
}

static void add_glued_wait(struct host_program *p, unsigned thread)
{
	unsigned n = chance(HOST_SEMAPHORES), flag = chance(HOST_FLAGS);
	switch (chance(6)) {
	case 0:
		add(p, thread, TAKE, n);
		glue_access(p, thread);
		break;
	case 1:
		add(p, thread, WRITE, chance(HOST_OBJECTS));
		glue(p, thread, POST, n);
		break;
	case 2:
		add(p, thread, AWAIT, flag);
		glue(p, thread, CLEAR, flag);
		break;
	case 3:
		add(p, thread, TAKE, n);
		glue(p, thread, POST, n);
		break;
	case 4:
		add(p, thread, POST, n);
		glue(p, thread, TAKE, n);
		break;
	default: add(p, thread, SET, flag); glue_access(p, thread);
	}
}

static void add_glued(struct host_program *p, unsigned thread)
{
	if (!has_room(p, thread)) return;
	if (!p->tells || chance(2))
		add_glued_locks(p, thread);
	else
		add_glued_wait(p, thread);
}

static void add_attempt(struct host_program *p, unsigned thread)
{
	unsigned lock = chance(HOST_LOCKS);
	if (!has_room(p, thread)) return;
	switch (chance(4)) {
	case 0:
		add(p, thread, TRY, lock);
		if (chance(2)) add_access(p, thread);
		add(p, thread, UNTRY, lock);
		break;
	case 1: add(p, thread, TRY_TAKE, chance(HOST_SEMAPHORES)); break;
	case 2: add(p, thread, POST, chance(HOST_SEMAPHORES)); break;
	default: add_section(p, thread);
	}
}

/* Adds locks that other threads may give back. */
static void add_foreign(struct host_program *p, unsigned thread)
{
	add(p, thread, chance(2) ? ACQUIRE : chance(4) ? RELEASE_ANY : TRY, chance(HOST_LOCKS));
}

static void add_yield(struct host_program *p, unsigned thread)
{
	add(p, thread, chance(2) ? POLL : NOTHING, chance(HOST_OBJECTS));
}

static void add_special(struct host_program *p, unsigned thread, const char *kind, bool foreign)
{
	if (!strcmp(kind, "mixed"))
		(chance(2) ? add_section : add_wait)(p, thread);
	else if (!strcmp(kind, "locks") || !strcmp(kind, "tries"))
		add_section(p, thread);
	else if (!strcmp(kind, "flags"))
		add_wait(p, thread);
	else if (!strcmp(kind, "told"))
		(chance(4) ? add_wait : add_section)(p, thread);
	else if (!strcmp(kind, "glued"))
		add_glued(p, thread);
	else if (!strcmp(kind, "attempts"))
		(foreign ? add_foreign : add_attempt)(p, thread);
	else if (!strcmp(kind, "yields"))
		add_yield(p, thread);
	else
		add_access(p, thread);
}

static void make_children(struct host_program *p)
{
	for (unsigned child = p->first; child < p->threads; child++) {
		unsigned parent = chance(p->first);
		add(p, parent, SPAWN, child);
		if (p->glues && chance(2)) glue_access(p, parent);
	}
}

static void join_children(struct host_program *p)
{
	for (unsigned t = 0; t < p->first; t++) {
		for (unsigned n = 0, length = p->length[t]; n < length; n++) {
			if (p->ops[t][n].kind != SPAWN || !chance(4)) continue;
			add(p, t, JOIN, p->ops[t][n].what);
			if (p->glues && chance(2)) glue_access(p, t);
		}
		if (chance(3) == 0) add_access(p, t);
	}
}

static bool is_one_of(const char *kind, const char *a, const char *b, const char *c)
{
	return !strcmp(kind, a) || !strcmp(kind, b) || !strcmp(kind, c);
}

struct host_program host_generate(const char *kind)
{
	struct host_program p = {.threads = 2 + chance(2 + (chance(3) == 0))};
	bool some = is_one_of(kind, "mixed", "told", "glued") && chance(2);
	bool children = !strcmp(kind, "children") || some, foreign = chance(2);
	p.first = children ? 1 + chance(p.threads - 1) : p.threads;
	p.tries = !strcmp(kind, "tries") || (is_one_of(kind, "mixed", "attempts", "mixed") && chance(3) == 0);
	p.waits = is_one_of(kind, "flags", "mixed", "told") || is_one_of(kind, "glued", "attempts", "glued");
	p.tells = is_one_of(kind, "told", "attempts", "yields") || (!strcmp(kind, "glued") && chance(4));
	p.glues = !strcmp(kind, "glued");
	p.weak = chance(3) == 0;
	for (unsigned n = 0; n < HOST_SEMAPHORES; n++) p.semaphores[n] = chance(2) + (p.glues && chance(2));
	for (unsigned n = 0; n < HOST_FLAGS; n++) p.flags[n] = chance(3) == 0;
	if (children && chance(2)) add_access(&p, 0);
	if (children) make_children(&p);
	for (unsigned t = 0; t < p.threads; t++)
		for (unsigned n = 1 + chance(3); n > 0; n--) {
			bool section = !strcmp(kind, "children") && chance(4) == 0;
			if (section)
				add_section(&p, t);
			else if (chance(2))
				add_special(&p, t, kind, foreign);
			else
				add_access(&p, t);
		}
	if (children) join_children(&p);
	return p;
}

static bool is_told_by_access(const struct host_program *p, enum host_op_kind kind)
{
	return !p->tells && (kind == SET || kind == CLEAR || kind == AWAIT || kind == POST || kind == TAKE);
}

void host_print(const struct host_program *p)
{
	static const char *const names[] = {"R",      "W",      "r",     "w",         "B",     "L",    "U",
	                                    "try ",   "untry ", "free ", "spawn ",    "join ", "set ", "clear ",
	                                    "await ", "post ",  "take ", "try-take ", "poll ", "-"};
	printf("%u of %u threads from the start%s%s%s, semaphores %u %u, flags %u %u\n", p->first, p->threads,
	       p->tries ? ", tries" : "", p->weak ? ", weak" : "", p->tells ? ", tells" : "", p->semaphores[0],
	       p->semaphores[1], p->flags[0], p->flags[1]);
	for (unsigned t = 0; t < p->threads; t++) {
		printf("  T%u:", t);
		for (unsigned n = 0; n < p->length[t]; n++)
			printf("%s%s%u%s", p->ops[t][n].glued ? "+" : " ", names[p->ops[t][n].kind], p->ops[t][n].what,
			       is_told_by_access(p, p->ops[t][n].kind) ? "?" : "");
		printf("\n");
	}
}

/* ---- the machine ---- */

void host_machine_start(struct host_machine *m, const struct host_program *p)
{
	memset(m, 0, sizeof *m - sizeof m->events);
	m->p = p;
	for (unsigned t = 0; t < p->first; t++) m->alive[t] = true;
	for (unsigned n = 0; n < HOST_SEMAPHORES; n++) m->world.semaphores[n] = p->semaphores[n];
	for (unsigned n = 0; n < HOST_FLAGS; n++) m->world.flags[n] = p->flags[n];
}

const struct host_op *host_next(const struct host_machine *m, unsigned t)
{
	return &m->p->ops[t][m->at[t]];
}

const struct host_op *host_next_end(const struct host_machine *m, unsigned t)
{
	const struct host_op *op = host_next(m, t) + 1, *end = &m->p->ops[t][m->p->length[t]];
	while (op < end && op->glued) op++;
	return op;
}

/* Returns whether a thread can go on with an operation when the world is like this. */
static bool is_possible(const struct host_machine *m, const struct host_world *world, const struct host_op *op)
{
	switch (op->kind) {
	case ACQUIRE: return m->p->tries || !world->holder[op->what];
	case JOIN: return m->done[op->what];
	case AWAIT: return world->flags[op->what];
	case TAKE: return world->semaphores[op->what] > 0;
	default: return true;
	}
}

/* Changes the world as an operation does. */
static void change(struct host_world *world, unsigned t, const struct host_op *op)
{
	switch (op->kind) {
	case ACQUIRE: world->holder[op->what] = t + 1; break;
	case RELEASE:
	case RELEASE_ANY: world->holder[op->what] = 0; break;
	case TRY:
		world->got[t][op->what] = !world->holder[op->what];
		if (!world->holder[op->what]) world->holder[op->what] = t + 1;
		break;
	case UNTRY:
		if (world->got[t][op->what]) world->holder[op->what] = 0;
		break;
	case SET: world->flags[op->what] = true; break;
	case CLEAR: world->flags[op->what] = false; break;
	case POST: world->semaphores[op->what]++; break;
	case TAKE: world->semaphores[op->what]--; break;
	case TRY_TAKE: world->semaphores[op->what] -= world->semaphores[op->what] > 0; break;
	default: break;
	}
}

bool host_can_go(const struct host_machine *m, unsigned t)
{
	if (!m->alive[t] || m->done[t] || m->parked[t]) return false;
	struct host_world world = m->world;
	for (const struct host_op *op = host_next(m, t), *end = host_next_end(m, t); op < end; op++) {
		if (!is_possible(m, &world, op)) return false;
		change(&world, t, op);
	}
	return true;
}

static bool conflict(mz_access_kind a, mz_access_kind b)
{
	if (a == MZ_WRITE || b == MZ_WRITE) return true;
	return (a == MZ_READ && b == MZ_WEAK_WRITE) || (a == MZ_WEAK_WRITE && b == MZ_READ);
}

static bool events_conflict(const struct host_event *a, const struct host_event *b)
{
	for (unsigned m = 0; m < a->naccesses; m++) {
		for (unsigned n = 0; n < b->naccesses; n++) {
			if (a->accesses[m].object == b->accesses[n].object &&
			    conflict(a->accesses[m].kind, b->accesses[n].kind))
				return true;
		}
	}
	return false;
}

static void learn(unsigned *knows, const unsigned *clock)
{
	for (unsigned t = 0; t < HOST_THREADS; t++)
		if (knows[t] < clock[t]) knows[t] = clock[t];
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash ^= word + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
	hash *= 0xff51afd7ed558ccdULL;
	return hash ^ hash >> 32;
}

static uint64_t event_hash(const struct host_event *e)
{
	uint64_t hash = mix(e->thread, e->position);
	for (unsigned n = 0; n < e->naccesses; n++) hash = mix(mix(hash, e->accesses[n].object), e->accesses[n].kind);
	for (unsigned t = 0; t < HOST_THREADS; t++) hash = mix(hash, e->clock[t]);
	return hash;
}

static void touch(struct host_event *e, uint64_t object, mz_access_kind kind)
{
	e->accesses[e->naccesses++] = (struct host_access){object, kind};
}

/* Objects of the machine: memory, flags, semaphores, locks. */
uint64_t host_flag_object(unsigned n)
{
	return 10 + n;
}
uint64_t host_semaphore_object(unsigned n)
{
	return 20 + n;
}
static uint64_t lock_object(unsigned n)
{
	return 1000 + n;
}

/* Adds to an event how an operation touches memory. */
static void touch_memory(const struct host_op *op, struct host_event *e)
{
	switch (op->kind) {
	case READ:
	case POLL: touch(e, op->what, MZ_READ); break;
	case WRITE: touch(e, op->what, MZ_WRITE); break;
	case WEAK_READ: touch(e, op->what, MZ_WEAK_READ); break;
	case WEAK_WRITE: touch(e, op->what, MZ_WEAK_WRITE); break;
	case BOTH:
		touch(e, op->what, MZ_READ);
		touch(e, (op->what + 1) % HOST_OBJECTS, MZ_WRITE);
		break;
	default: break;
	}
}

/* Adds to an event how an operation touches locks, flags and semaphores. */
static void touch_others(const struct host_machine *m, unsigned t, const struct host_op *op, struct host_event *e)
{
	bool held = op->what < HOST_LOCKS && m->world.holder[op->what];
	mz_access_kind posts = m->p->weak ? MZ_WEAK_WRITE : MZ_WRITE, sets = m->p->tells ? MZ_WRITE : posts;
	switch (op->kind) {
	case ACQUIRE:
	case TRY: touch(e, lock_object(op->what), held ? MZ_READ : MZ_WRITE); break;
	case RELEASE: touch(e, lock_object(op->what), MZ_WRITE); break;
	case RELEASE_ANY: touch(e, lock_object(op->what), held ? MZ_WRITE : MZ_READ); break;
	case UNTRY:
		if (m->world.got[t][op->what]) touch(e, lock_object(op->what), MZ_WRITE);
		break;
	case SET: touch(e, host_flag_object(op->what), sets); break;
	case CLEAR: touch(e, host_flag_object(op->what), MZ_WRITE); break;
	case AWAIT: touch(e, host_flag_object(op->what), MZ_READ); break;
	case POST: touch(e, host_semaphore_object(op->what), posts); break;
	case TAKE: touch(e, host_semaphore_object(op->what), MZ_WRITE); break;
	case TRY_TAKE:
		touch(e, host_semaphore_object(op->what), m->world.semaphores[op->what] ? MZ_WRITE : MZ_READ);
		break;
	default: break;
	}
}

static void let_try_again(struct host_machine *m)
{
	for (unsigned t = 0; t < HOST_THREADS; t++)
		if (m->parked[t] && !m->world.holder[m->parked[t] - 1]) m->parked[t] = 0;
}

/* Does what the operation does; returns false if it was only tried. */
static bool perform(struct host_machine *m, unsigned t, const struct host_op *op, struct host_event *e)
{
	touch_memory(op, e);
	touch_others(m, t, op, e);
	if (op->kind == ACQUIRE && m->world.holder[op->what]) {
		m->parked[t] = op->what + 1;
		return false;
	}
	change(&m->world, t, op);
	if (op->kind == SPAWN) m->alive[op->what] = true;
	if (op->kind == JOIN) learn(m->knows[t], m->knows[op->what]);
	let_try_again(m);
	return true;
}

const struct host_event *host_machine_step(struct host_machine *m, unsigned t)
{
	const struct host_op *first = host_next(m, t), *end = host_next_end(m, t);
	struct host_event *e = &m->events[m->nevents];
	bool done = true, links = false;
	*e = (struct host_event){.thread = t, .position = ++m->steps[t]};
	for (const struct host_op *op = first; op < end; op++) {
		done &= perform(m, t, op, e);
		links |= op->kind == SPAWN || op->kind == JOIN;
	}
	for (unsigned n = 0; n < m->nevents; n++)
		if (events_conflict(&m->events[n], e)) learn(m->knows[t], m->events[n].clock);
	m->knows[t][t] = e->position;
	memcpy(e->clock, m->knows[t], sizeof e->clock);
	for (const struct host_op *op = first; op < end; op++)
		if (op->kind == SPAWN) learn(m->knows[op->what], e->clock);
	e->yields = (!e->naccesses && !links) || first->kind == POLL;
	m->yielded[t] += e->yields;
	m->hash += event_hash(e);
	m->nevents++;
	m->at[t] += done ? (unsigned)(end - first) : 0;
	m->done[t] = m->at[t] == m->p->length[t];
	return e;
}

/* ---- brute force ---- */

struct host_graph *host_find_graph(struct host_truth *truth, uint64_t hash)
{
	for (unsigned n = 0; n < truth->ngraphs; n++)
		if (truth->graphs[n].hash == hash) return &truth->graphs[n];
	return NULL;
}

static void lower(unsigned *least, unsigned cost)
{
	if (cost < *least) *least = cost;
}

static void note(struct host_truth *truth, uint64_t hash, struct host_cost cost)
{
	struct host_graph *graph = host_find_graph(truth, hash);
	if (!graph) {
		graph = &truth->graphs[truth->ngraphs++];
		*graph = (struct host_graph){hash, cost, false};
	}
	lower(&graph->least.preemptions, cost.preemptions);
	lower(&graph->least.delays, cost.delays);
	lower(&graph->least.unfair, cost.unfair);
	for (unsigned bound = cost.preemptions; bound < HOST_BOUNDS; bound++) truth->within[bound]++;
	for (unsigned bound = cost.unfair; bound < HOST_BOUNDS; bound++) truth->fair_within[bound]++;
	truth->interleavings++;
}

/* Returns by how many yields a thread is ahead of another that can go. */
static unsigned ahead(const struct host_machine *m, unsigned t)
{
	unsigned least = m->yielded[t];
	for (unsigned n = 0; n < m->p->threads; n++)
		if (host_can_go(m, n)) lower(&least, m->yielded[n]);
	return m->yielded[t] - least;
}

/* Adds what it costs to let a thread go on after `last` (HOST_THREADS: nobody), whose last step may have been a
 * yield. */
static struct host_cost add_cost(const struct host_machine *m, struct host_cost cost, unsigned last, bool yielded,
                                 unsigned t)
{
	cost.preemptions += last < HOST_THREADS && last != t && host_can_go(m, last);
	unsigned start = last < HOST_THREADS ? last + yielded : 0;
	for (unsigned n = start % HOST_THREADS; n != t; n = (n + 1) % HOST_THREADS) cost.delays += host_can_go(m, n);
	if (ahead(m, t) > cost.unfair) cost.unfair = ahead(m, t);
	return cost;
}

static void copy(struct host_machine *to, const struct host_machine *from)
{
	memcpy(to, from, sizeof *to - sizeof to->events + from->nevents * sizeof *from->events);
}

static bool enumerate(const struct host_machine *m, unsigned last, bool yielded, struct host_cost cost,
                      struct host_truth *truth)
{
	bool over = true;
	for (unsigned t = 0; t < m->p->threads; t++) {
		if (!host_can_go(m, t)) continue;
		struct host_machine next;
		over = false;
		if (m->nevents == HOST_STEPS) return false;
		copy(&next, m);
		bool yields = host_machine_step(&next, t)->yields;
		if (!enumerate(&next, t, yields, add_cost(m, cost, last, yielded, t), truth)) return false;
	}
	if (!over) return true;
	if (truth->interleavings == HOST_INTERLEAVINGS) return false;
	note(truth, m->hash, cost);
	return true;
}

bool host_brute_force(const struct host_program *p, struct host_truth *truth)
{
	struct host_machine m;
	truth->ngraphs = truth->interleavings = 0;
	memset(truth->within, 0, sizeof truth->within);
	memset(truth->fair_within, 0, sizeof truth->fair_within);
	host_machine_start(&m, p);
	return enumerate(&m, HOST_THREADS, false, (struct host_cost){0}, truth);
}

unsigned host_count_within(const struct host_truth *truth, struct host_cost most)
{
	unsigned count = 0;
	for (unsigned n = 0; n < truth->ngraphs; n++) {
		const struct host_cost *least = &truth->graphs[n].least;
		count += least->preemptions <= most.preemptions && least->delays <= most.delays &&
		         least->unfair <= most.unfair;
	}
	return count;
}
