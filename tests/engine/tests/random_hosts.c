/* SPDX-License-Identifier: MIT
 *
 * Random hosts against brute force, through the installed header alone.
 *
 *     engine_random_hosts SEED COUNT [KIND [unbounded]]
 *
 * A program is a list of operations for each thread: accesses of all kinds, nested locks (announced, or tried in the
 * thread's own step), spawn and join, flags that are awaited, semaphores. Brute force runs every interleaving of it on
 * a small machine, and hashes the happens-before graph of each: program order, conflicts, spawn, join. For each graph
 * it keeps the least number of preemptions and of delays that an interleaving of it takes. The host runs the same
 * machine under the engine, with every strategy, order and bound, and the graphs that come out have to be those of
 * brute force. Nothing here knows how the engine does it.
 *
 * KIND: plain, locks, tries, children, flags, mixed, or all (each program is of one of them).
 */
#include <mazurka/engine.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, OPS = 12, OBJECTS = 3, LOCKS = 2, FLAGS = 2, SEMAPHORES = 2, STEPS = 64, ACCESSES = 2 };
enum { INTERLEAVINGS = 3000, BOUNDS = 3 };

/* ---- programs ---- */

enum kind { READ, WRITE, WEAK_READ, WEAK_WRITE, BOTH, ACQUIRE, RELEASE, SPAWN, JOIN, SET, AWAIT, POST, TAKE, NOTHING };

struct op {
	enum kind kind;
	unsigned what;
};

struct program {
	struct op ops[THREADS][OPS];
	unsigned length[THREADS];
	unsigned threads, first; /* there are, and there are from the start */
	bool tries;              /* locks are tried */
	bool waits;              /* for flags or semaphores */
	bool weak_flags;         /* setting and posting commute */
	unsigned semaphores[SEMAPHORES];
};

static uint64_t state_of_chance;

static unsigned chance(unsigned n)
{
	state_of_chance ^= state_of_chance << 13;
	state_of_chance ^= state_of_chance >> 7;
	state_of_chance ^= state_of_chance << 17;
	return (unsigned)(state_of_chance >> 11) % n;
}

static void add(struct program *p, unsigned thread, enum kind kind, unsigned what)
{
	if (p->length[thread] < OPS) p->ops[thread][p->length[thread]++] = (struct op){kind, what};
}

static void add_access(struct program *p, unsigned thread)
{
	static const enum kind kinds[] = {READ, READ, WRITE, WRITE, WEAK_READ, WEAK_WRITE, BOTH, NOTHING};
	add(p, thread, kinds[chance(chance(4) ? 4 : 8)], chance(OBJECTS));
}

static void add_section(struct program *p, unsigned thread)
{
	unsigned outer = chance(LOCKS), inner = chance(LOCKS);
	if (p->length[thread] + 5 > OPS) return;
	add(p, thread, ACQUIRE, outer);
	if (chance(2)) add_access(p, thread);
	if (inner != outer && chance(2)) {
		add(p, thread, ACQUIRE, inner);
		add(p, thread, RELEASE, inner);
	}
	add(p, thread, RELEASE, outer);
}

static void add_wait(struct program *p, unsigned thread)
{
	static const enum kind kinds[] = {SET, AWAIT, POST, TAKE, TAKE};
	enum kind kind = kinds[chance(5)];
	add(p, thread, kind, chance(kind == SET || kind == AWAIT ? FLAGS : SEMAPHORES));
}

static void add_something(struct program *p, unsigned thread, const char *kind)
{
	bool special = chance(2);
	if (special && !strcmp(kind, "mixed"))
		(chance(2) ? add_section : add_wait)(p, thread);
	else if (special && (!strcmp(kind, "locks") || !strcmp(kind, "tries")))
		add_section(p, thread);
	else if (special && !strcmp(kind, "flags"))
		add_wait(p, thread);
	else if (!strcmp(kind, "children") && chance(4) == 0)
		add_section(p, thread);
	else
		add_access(p, thread);
}

static void make_children(struct program *p)
{
	for (unsigned child = p->first; child < p->threads; child++) add(p, chance(p->first), SPAWN, child);
}

static void join_children(struct program *p)
{
	for (unsigned t = 0; t < p->first; t++) {
		for (unsigned n = 0, length = p->length[t]; n < length; n++) {
			if (p->ops[t][n].kind == SPAWN && chance(4)) add(p, t, JOIN, p->ops[t][n].what);
		}
		if (chance(3) == 0) add_access(p, t);
	}
}

static struct program generate(const char *kind)
{
	struct program p = {.threads = 2 + chance(2 + (chance(3) == 0))};
	bool mixed = !strcmp(kind, "mixed"), children = !strcmp(kind, "children") || (mixed && chance(2));
	p.first = children ? 1 + chance(p.threads - 1) : p.threads;
	p.tries = !strcmp(kind, "tries") || (mixed && chance(3) == 0);
	p.waits = !strcmp(kind, "flags") || mixed;
	p.weak_flags = chance(3) == 0;
	for (unsigned n = 0; n < SEMAPHORES; n++) p.semaphores[n] = chance(2);
	if (children && chance(2)) add_access(&p, 0);
	if (children) make_children(&p);
	for (unsigned t = 0; t < p.threads; t++)
		for (unsigned n = 1 + chance(3); n > 0; n--) add_something(&p, t, kind);
	if (children) join_children(&p);
	return p;
}

static void print(const struct program *p)
{
	static const char *const names[] = {"R",      "W",     "r",    "w",      "B",     "L",     "U",
	                                    "spawn ", "join ", "set ", "await ", "post ", "take ", "-"};
	printf("%u of %u threads from the start%s%s, semaphores %u %u\n", p->first, p->threads,
	       p->tries ? ", tries" : "", p->weak_flags ? ", weak flags" : "", p->semaphores[0], p->semaphores[1]);
	for (unsigned t = 0; t < p->threads; t++) {
		printf("  T%u:", t);
		for (unsigned n = 0; n < p->length[t]; n++)
			printf(" %s%u", names[p->ops[t][n].kind], p->ops[t][n].what);
		printf("\n");
	}
}

/* ---- the machine ---- */

struct access {
	uint64_t object;
	mz_access_kind kind;
};

struct event {
	unsigned thread, position;
	struct access accesses[ACCESSES];
	unsigned naccesses;
	unsigned clock[THREADS]; /* what it knows of, itself included */
};

struct machine {
	const struct program *p;
	unsigned at[THREADS], steps[THREADS];
	bool alive[THREADS], done[THREADS];
	unsigned holder[LOCKS];   /* thread plus one */
	unsigned parked[THREADS]; /* lock plus one that was tried in vain and not given back since */
	bool flags[FLAGS];
	unsigned semaphores[SEMAPHORES];
	unsigned knows[THREADS][THREADS]; /* what a thread knows of */
	struct event events[STEPS];
	unsigned nevents;
	uint64_t hash; /* of the graph */
};

static void machine_start(struct machine *m, const struct program *p)
{
	memset(m, 0, sizeof *m - sizeof m->events - sizeof m->nevents - sizeof m->hash);
	m->nevents = 0;
	m->hash = 0;
	m->p = p;
	for (unsigned t = 0; t < p->first; t++) m->alive[t] = true;
	for (unsigned n = 0; n < SEMAPHORES; n++) m->semaphores[n] = p->semaphores[n];
}

static const struct op *current(const struct machine *m, unsigned t)
{
	return &m->p->ops[t][m->at[t]];
}

static bool can_go(const struct machine *m, unsigned t)
{
	const struct op *op = current(m, t);
	if (!m->alive[t] || m->done[t] || m->parked[t]) return false;
	switch (op->kind) {
	case ACQUIRE: return m->p->tries || !m->holder[op->what];
	case JOIN: return m->done[op->what];
	case AWAIT: return m->flags[op->what];
	case TAKE: return m->semaphores[op->what] > 0;
	default: return true;
	}
}

static bool conflict(mz_access_kind a, mz_access_kind b)
{
	if (a == MZ_WRITE || b == MZ_WRITE) return true;
	return (a == MZ_READ && b == MZ_WEAK_WRITE) || (a == MZ_WEAK_WRITE && b == MZ_READ);
}

static bool events_conflict(const struct event *a, const struct event *b)
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
	for (unsigned t = 0; t < THREADS; t++)
		if (knows[t] < clock[t]) knows[t] = clock[t];
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash ^= word + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
	hash *= 0xff51afd7ed558ccdULL;
	return hash ^ hash >> 32;
}

static uint64_t event_hash(const struct event *e)
{
	uint64_t hash = mix(e->thread, e->position);
	for (unsigned n = 0; n < e->naccesses; n++) hash = mix(mix(hash, e->accesses[n].object), e->accesses[n].kind);
	for (unsigned t = 0; t < THREADS; t++) hash = mix(hash, e->clock[t]);
	return hash;
}

static void touch(struct event *e, uint64_t object, mz_access_kind kind)
{
	e->accesses[e->naccesses++] = (struct access){object, kind};
}

/* Objects of the machine: memory, flags, semaphores, locks. */
static uint64_t flag_object(unsigned n)
{
	return 10 + n;
}
static uint64_t semaphore_object(unsigned n)
{
	return 20 + n;
}
static uint64_t lock_object(unsigned n)
{
	return 1000 + n;
}

static void give_back(struct machine *m, unsigned lock)
{
	m->holder[lock] = 0;
	for (unsigned t = 0; t < THREADS; t++)
		if (m->parked[t] == lock + 1) m->parked[t] = 0;
}

/* Does what the operation does; false if it was only tried. */
static bool perform(struct machine *m, unsigned t, const struct op *op, struct event *e)
{
	mz_access_kind sets = m->p->weak_flags ? MZ_WEAK_WRITE : MZ_WRITE;
	switch (op->kind) {
	case READ: touch(e, op->what, MZ_READ); break;
	case WRITE: touch(e, op->what, MZ_WRITE); break;
	case WEAK_READ: touch(e, op->what, MZ_WEAK_READ); break;
	case WEAK_WRITE: touch(e, op->what, MZ_WEAK_WRITE); break;
	case BOTH:
		touch(e, op->what, MZ_READ);
		touch(e, (op->what + 1) % OBJECTS, MZ_WRITE);
		break;
	case ACQUIRE:
		touch(e, lock_object(op->what), m->holder[op->what] ? MZ_READ : MZ_WRITE);
		if (m->holder[op->what]) {
			m->parked[t] = op->what + 1;
			return false;
		}
		m->holder[op->what] = t + 1;
		break;
	case RELEASE:
		touch(e, lock_object(op->what), MZ_WRITE);
		give_back(m, op->what);
		break;
	case SPAWN: m->alive[op->what] = true; break;
	case JOIN: learn(m->knows[t], m->knows[op->what]); break;
	case SET:
		touch(e, flag_object(op->what), sets);
		m->flags[op->what] = true;
		break;
	case AWAIT: touch(e, flag_object(op->what), MZ_READ); break;
	case POST:
		touch(e, semaphore_object(op->what), sets);
		m->semaphores[op->what]++;
		break;
	case TAKE:
		touch(e, semaphore_object(op->what), MZ_WRITE);
		m->semaphores[op->what]--;
		break;
	case NOTHING: break;
	}
	return true;
}

static const struct event *machine_step(struct machine *m, unsigned t)
{
	const struct op *op = current(m, t);
	struct event *e = &m->events[m->nevents];
	*e = (struct event){.thread = t, .position = ++m->steps[t]};
	bool done = perform(m, t, op, e);
	for (unsigned n = 0; n < m->nevents; n++)
		if (events_conflict(&m->events[n], e)) learn(m->knows[t], m->events[n].clock);
	m->knows[t][t] = e->position;
	memcpy(e->clock, m->knows[t], sizeof e->clock);
	if (op->kind == SPAWN) learn(m->knows[op->what], e->clock);
	m->hash += event_hash(e);
	m->nevents++;
	m->at[t] += done;
	m->done[t] = m->at[t] == m->p->length[t];
	return e;
}

/* ---- brute force ---- */

struct graph {
	uint64_t hash;
	unsigned preemptions, delays; /* the least */
	bool seen;                    /* by the run that is being judged */
};

struct truth {
	struct graph graphs[INTERLEAVINGS];
	unsigned ngraphs;
	unsigned interleavings;
	unsigned within[BOUNDS]; /* interleavings */
};

struct cost {
	unsigned preemptions, delays;
};

static struct graph *find(struct truth *truth, uint64_t hash)
{
	for (unsigned n = 0; n < truth->ngraphs; n++)
		if (truth->graphs[n].hash == hash) return &truth->graphs[n];
	return NULL;
}

static void note(struct truth *truth, uint64_t hash, struct cost cost)
{
	struct graph *graph = find(truth, hash);
	if (!graph) {
		graph = &truth->graphs[truth->ngraphs++];
		*graph = (struct graph){hash, cost.preemptions, cost.delays, false};
	}
	if (cost.preemptions < graph->preemptions) graph->preemptions = cost.preemptions;
	if (cost.delays < graph->delays) graph->delays = cost.delays;
	for (unsigned bound = cost.preemptions; bound < BOUNDS; bound++) truth->within[bound]++;
	truth->interleavings++;
}

/* What it costs to let a thread go on after `last` (THREADS: nobody), whose last step was empty if it `yielded`. */
static struct cost cost_of(const struct machine *m, unsigned last, bool yielded, unsigned t)
{
	struct cost cost = {last < THREADS && last != t && can_go(m, last), 0};
	unsigned start = last < THREADS ? last + yielded : 0;
	for (unsigned n = start % THREADS; n != t; n = (n + 1) % THREADS) cost.delays += can_go(m, n);
	return cost;
}

/* False if there are too many. */
static bool enumerate(const struct machine *m, unsigned last, bool yielded, struct cost cost, struct truth *truth)
{
	bool over = true;
	for (unsigned t = 0; t < m->p->threads; t++) {
		if (!can_go(m, t)) continue;
		struct cost more = cost_of(m, last, yielded, t);
		struct machine next = *m;
		bool yields = current(m, t)->kind == NOTHING;
		over = false;
		if (m->nevents == STEPS) return false;
		machine_step(&next, t);
		more = (struct cost){cost.preemptions + more.preemptions, cost.delays + more.delays};
		if (!enumerate(&next, t, yields, more, truth)) return false;
	}
	if (!over) return true;
	if (truth->interleavings == INTERLEAVINGS) return false;
	note(truth, m->hash, cost);
	return true;
}

static bool brute_force(const struct program *p, struct truth *truth)
{
	struct machine m;
	truth->ngraphs = truth->interleavings = 0;
	memset(truth->within, 0, sizeof truth->within);
	machine_start(&m, p);
	return enumerate(&m, THREADS, false, (struct cost){0, 0}, truth);
}

/* ---- the host ---- */

struct host {
	struct machine m;
	mz_engine *engine;
	bool blocked[THREADS];
	bool wrong; /* a call failed */
};

static void check(struct host *host, int result)
{
	if (result != 0) host->wrong = true;
}

/* Says who cannot go on, and who can again. */
static void announce(struct host *host)
{
	const struct machine *m = &host->m;
	for (unsigned t = 0; t < m->p->threads; t++) {
		if (!m->alive[t] || m->done[t]) continue;
		bool blocked = !can_go(m, t);
		bool at_lock = current(m, t)->kind == ACQUIRE;
		if (blocked && !host->blocked[t])
			check(host,
			      mz_engine_block(host->engine, t, at_lock ? current(m, t)->what : MZ_ENGINE_NO_LOCK));
		if (!blocked && host->blocked[t]) check(host, mz_engine_unblock(host->engine, t));
		host->blocked[t] = blocked;
	}
}

static void report(struct host *host, unsigned t, const struct op *op, const struct event *e)
{
	mz_engine *engine = host->engine;
	switch (op->kind) {
	case ACQUIRE:
		if (!host->m.parked[t]) check(host, mz_engine_sync(engine, t, MZ_ENGINE_ACQUIRE, op->what));
		break; /* an attempt is reported as the thread is blocked */
	case RELEASE: check(host, mz_engine_sync(engine, t, MZ_ENGINE_RELEASE, op->what)); break;
	case SPAWN: check(host, mz_engine_sync(engine, t, MZ_ENGINE_SPAWN, op->what)); break;
	case JOIN: check(host, mz_engine_sync(engine, t, MZ_ENGINE_JOIN, op->what)); break;
	default:
		for (unsigned n = 0; n < e->naccesses; n++)
			check(host, mz_engine_access(engine, t, e->accesses[n].object, e->accesses[n].kind));
	}
	if (host->m.done[t]) check(host, mz_engine_finish_thread(engine, t));
}

/* One execution. What the engine ended it with. */
static int run(struct host *host, const struct program *p)
{
	int thread;
	machine_start(&host->m, p);
	memset(host->blocked, 0, sizeof host->blocked);
	check(host, mz_engine_begin(host->engine));
	announce(host);
	while ((thread = mz_engine_schedule(host->engine)) >= 0) {
		unsigned t = (unsigned)thread;
		const struct op *op = current(&host->m, t);
		if (t >= p->threads || !can_go(&host->m, t)) {
			host->wrong = true;
			break;
		}
		report(host, t, op, machine_step(&host->m, t));
		announce(host);
	}
	return thread;
}

/* ---- judging ---- */

struct plan {
	mz_engine_options options;
	unsigned graphs;     /* how many are to be found; */
	struct cost most;    /* they cost no more than this */
	unsigned executions; /* or 0: any number */
	bool straight;       /* nothing is redundant */
	bool samples;
	bool more; /* graphs that cost more may be found, too */
};

static uint64_t futile, executions;

static bool complain(const struct program *p, const struct plan *plan, const char *format, ...)
{
	const mz_engine_options *o = &plan->options;
	va_list arguments;
	printf("%s, order %s%s", o->strategy, o->order ? o->order : "dfs", o->no_sleep ? ", no sleep" : "");
	if (o->bounded) printf(", %u preemptions", o->preemptions);
	if (o->delayed) printf(", %u delays", o->delays);
	printf(": ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	print(p);
	return false;
}

/* Runs everything; leaves in the truth which graphs were seen, and returns how many; -1 if one is wrong. */
static int explore(struct host *host, const struct program *p, const struct plan *plan, struct truth *truth,
                   unsigned *ran)
{
	int seen = 0;
	*ran = 0;
	for (unsigned n = 0; n < truth->ngraphs; n++) truth->graphs[n].seen = false;
	do {
		int end = run(host, p);
		if (host->wrong || end == MZ_ENGINE_ERROR) break;
		if (end == MZ_ENGINE_CUT) continue;
		struct graph *graph = find(truth, host->m.hash);
		if (!graph) return -1;
		bool within = graph->preemptions <= plan->most.preemptions && graph->delays <= plan->most.delays;
		if (!within && !plan->more) return -1;
		seen += within && !graph->seen;
		graph->seen = true;
		++*ran;
	} while (mz_engine_next(host->engine));
	return seen;
}

static bool judge(const struct program *p, const struct plan *plan, struct truth *truth)
{
	char text[200] = "";
	static struct host host;
	unsigned ran;
	host = (struct host){.engine = mz_engine_new(&plan->options, text, sizeof text)};
	if (!host.engine) return complain(p, plan, "%s", text);
	int seen = explore(&host, p, plan, truth, &ran);
	mz_engine_counts counts = mz_engine_count(host.engine);
	bool complete = mz_engine_complete(host.engine);
	if (mz_engine_error(host.engine)) snprintf(text, sizeof text, "%s", mz_engine_error(host.engine));
	mz_engine_free(host.engine);
	futile += counts.futile;
	executions += counts.executions;
	if (*text) return complain(p, plan, "%s", text);
	if (host.wrong) return complain(p, plan, "a call failed");
	if (seen < 0) return complain(p, plan, "a graph that is none");
	if (plan->samples) return true;
	if (!complete) return complain(p, plan, "not complete");
	if ((unsigned)seen != plan->graphs) return complain(p, plan, "%d of %u graphs", seen, plan->graphs);
	if (counts.traces != plan->graphs && !plan->more)
		return complain(p, plan, "%u traces for %u", (unsigned)counts.traces, plan->graphs);
	if (plan->executions && counts.executions != plan->executions)
		return complain(p, plan, "%u executions for %u", (unsigned)counts.executions, plan->executions);
	if (counts.executions != ran)
		return complain(p, plan, "%u executions counted, %u run", (unsigned)counts.executions, ran);
	if (plan->straight && counts.redundant) return complain(p, plan, "%u redundant", (unsigned)counts.redundant);
	return true;
}

static unsigned count_within(const struct truth *truth, struct cost most)
{
	unsigned count = 0;
	for (unsigned n = 0; n < truth->ngraphs; n++)
		count += truth->graphs[n].preemptions <= most.preemptions && truth->graphs[n].delays <= most.delays;
	return count;
}

static struct plan plan_for(const struct program *p, const struct truth *truth, const char *strategy)
{
	return (struct plan){
	    .options = {.threads = p->first, .strategy = strategy, .tries_locks = p->tries, .count_traces = 1},
	    .graphs = truth->ngraphs,
	    .most = {UINT32_MAX, UINT32_MAX}};
}

static bool judge_unbounded(const struct program *p, struct truth *truth)
{
	static const char *const orders[] = {"dfs",    "bit-reversal",   "round-robin",
	                                     "stride", "conflict-first", "random"};
	static const char *const strategies[] = {"optimal", "source", "dpor", "dpor-cr", "cbpor", "dfs"};
	for (unsigned s = 0; s < 6; s++) {
		for (unsigned order = 0; order < (s < 4 ? 6 : 1); order++) {
			struct plan plan = plan_for(p, truth, strategies[s]);
			plan.options.order = orders[order];
			if (s == 0 || s == 1 || s == 4) plan.executions = truth->ngraphs;
			if (s == 5) plan.executions = truth->interleavings;
			plan.straight = (s == 0 && !p->tries) || s == 5;
			if (!judge(p, &plan, truth)) return false;
			plan.options.no_sleep = s == 2 || s == 3;
			if (plan.options.no_sleep && order == 0 && !judge(p, &plan, truth)) return false;
		}
	}
	return true;
}

static bool judge_bounded(const struct program *p, struct truth *truth)
{
	static const char *const strategies[] = {"optimal", "cbpor", "dfs"};
	for (unsigned bound = 0; bound < BOUNDS; bound++) {
		for (unsigned s = 0; s < 3; s++) {
			struct plan plan = plan_for(p, truth, strategies[s]);
			plan.options.bounded = 1;
			plan.options.preemptions = bound;
			plan.most.preemptions = bound;
			plan.graphs = count_within(truth, plan.most);
			plan.more = s < 2 && p->waits;
			if (!plan.more) plan.executions = s < 2 ? plan.graphs : truth->within[bound];
			if (!judge(p, &plan, truth)) return false;
		}
		struct plan plan = plan_for(p, truth, "dfs");
		plan.options.delayed = 1;
		plan.options.delays = bound;
		plan.most.delays = bound;
		plan.graphs = count_within(truth, plan.most);
		if (!judge(p, &plan, truth)) return false;
	}
	return true;
}

static bool judge_samples(const struct program *p, struct truth *truth)
{
	static const char *const strategies[] = {"random", "pct", "pos"};
	for (unsigned s = 0; s < 3; s++) {
		struct plan plan = plan_for(p, truth, strategies[s]);
		plan.options.max_executions = 10;
		plan.samples = true;
		if (!judge(p, &plan, truth)) return false;
	}
	return true;
}

/* ---- all together ---- */

static const char *const kinds[] = {"plain", "locks", "tries", "children", "flags", "mixed"};

int main(int argc, char **argv)
{
	static struct truth truth;
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 100, wrong = 0, graphs = 0;
	const char *kind = argc > 3 ? argv[3] : "all";
	for (unsigned long n = 0; n < count && wrong < 10; n++) {
		struct program p;
		state_of_chance = (seed + n + 1) * 0x9e3779b97f4a7c15ULL;
		for (int k = 0; k < 10; k++) chance(2);
		do {
			p = generate(strcmp(kind, "all") ? kind : kinds[(seed + n) % 6]);
		} while (!brute_force(&p, &truth));
		graphs += truth.ngraphs;
		if (judge_unbounded(&p, &truth) && (argc > 4 || judge_bounded(&p, &truth)) && judge_samples(&p, &truth))
			continue;
		printf("  program %llu\n", (unsigned long long)(seed + n));
		wrong++;
	}
	printf("%lu programs, %lu graphs, %llu executions, %llu futile, %lu wrong\n", count, graphs,
	       (unsigned long long)executions, (unsigned long long)futile, wrong);
	return wrong != 0;
}
