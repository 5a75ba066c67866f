/* SPDX-License-Identifier: MIT
 *
 * Random hosts against brute force, through the installed header alone.
 *
 *     engine_random_hosts SEED COUNT [KIND [unbounded]]
 *
 * helpers/host_program.h makes the programs, and runs every interleaving of each on a small machine. The host runs the
 * same machine under the engine, with every strategy, order and bound, and the graphs that come out have to be those of
 * brute force. It says most things twice. Then it gives up executions at random, and what comes out must still be
 * right, if not complete. Nothing here knows how the engine does it.
 *
 * KIND: plain, locks, tries, children, flags, mixed, told, glued, attempts, yields, or all (each program is of one of
 * them).
 */
#include "host_program.h"
#include <mazurka/engine.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ABANDONED = 9 }; /* executions that a host gives up at most: fewer than in a row make the engine fail */

/* ---- the host ---- */

struct host {
	struct host_machine m;
	mz_engine *engine;
	bool blocked[HOST_THREADS];
	unsigned told[HOST_THREADS]; /* the position plus one up to which it is said for what the thread waits */
	bool abandons;
	unsigned abandoned;
	bool wrong; /* a call failed */
};

static void check(struct host *host, int result)
{
	if (result != 0) host->wrong = true;
}

/* Returns the operation of a thread's next step that it may have to wait for, or NULL. */
static const struct host_op *need(const struct host_machine *m, unsigned t)
{
	const struct host_op *first = host_next(m, t);
	if (first->kind == POST) return NULL; /* what is taken then is there */
	for (const struct host_op *op = first, *end = host_next_end(m, t); op < end; op++)
		if (op->kind == ACQUIRE || op->kind == JOIN || op->kind == AWAIT || op->kind == TAKE) return op;
	return NULL;
}

/* Returns whether the host announces what a thread waits for with mz_engine_wait(). */
static bool announces(const struct host_program *p, const struct host_op *op)
{
	if (op && op->kind == ACQUIRE) return (p->tells || p->glues) && !p->tries;
	return op && p->tells;
}

static void announce_wait(struct host *host, unsigned t, const struct host_op *op)
{
	static const mz_engine_sync_kind kinds[] = {
	    [ACQUIRE] = MZ_ENGINE_ACQUIRE, [JOIN] = MZ_ENGINE_JOIN, [AWAIT] = MZ_ENGINE_AWAIT, [TAKE] = MZ_ENGINE_TAKE};
	if (host->told[t] == host->m.at[t] + 1) return;
	for (int n = 0; n < 2; n++) check(host, mz_engine_wait(host->engine, t, kinds[op->kind], op->what));
	host->told[t] = host->m.at[t] + 1;
}

static void block_or_unblock(struct host *host, unsigned t, const struct host_op *op)
{
	bool blocked = !host_can_go(&host->m, t);
	uint64_t lock = op && op->kind == ACQUIRE ? op->what : MZ_ENGINE_NO_LOCK;
	for (int n = 0; n < 2 && blocked && !host->blocked[t]; n++) check(host, mz_engine_block(host->engine, t, lock));
	for (int n = 0; n < 2 && !blocked && host->blocked[t]; n++) check(host, mz_engine_unblock(host->engine, t));
	host->blocked[t] = blocked;
}

/* Says who cannot go on, and who can again. */
static void announce(struct host *host)
{
	const struct host_machine *m = &host->m;
	for (unsigned t = 0; t < m->p->threads; t++) {
		if (!m->alive[t] || m->done[t]) continue;
		const struct host_op *op = need(m, t);
		if (announces(m->p, op))
			announce_wait(host, t, op);
		else
			block_or_unblock(host, t, op);
	}
}

/* Reports how flags and semaphores are used: as what they are, or as objects. */
static void report_told(struct host *host, unsigned t, const struct host_op *op)
{
	const struct host_program *p = host->m.p;
	bool flag = op->kind == SET || op->kind == CLEAR || op->kind == AWAIT, weak = p->weak;
	mz_engine_sync_kind kind = op->kind == SET     ? MZ_ENGINE_SET
	                           : op->kind == CLEAR ? MZ_ENGINE_CLEAR
	                           : op->kind == AWAIT ? MZ_ENGINE_AWAIT
	                           : op->kind == TAKE  ? MZ_ENGINE_TAKE
	                           : op->kind == POST  ? (weak ? MZ_ENGINE_POST : MZ_ENGINE_PUT)
	                                               : MZ_ENGINE_TRY_TAKE;
	if (p->tells) {
		check(host, mz_engine_sync(host->engine, t, kind, op->what));
		return;
	}
	mz_access_kind access = op->kind == AWAIT                               ? MZ_READ
	                        : weak && (op->kind == SET || op->kind == POST) ? MZ_WEAK_WRITE
	                                                                        : MZ_WRITE;
	uint64_t object = flag ? host_flag_object(op->what) : host_semaphore_object(op->what);
	check(host, mz_engine_access(host->engine, t, object, access));
}

static void report_access(struct host *host, unsigned t, uint64_t object, mz_access_kind kind)
{
	check(host, mz_engine_access(host->engine, t, object, kind));
}

static void report(struct host *host, unsigned t, const struct host_op *op)
{
	mz_engine *engine = host->engine;
	switch (op->kind) {
	case READ: report_access(host, t, op->what, MZ_READ); break;
	case WRITE: report_access(host, t, op->what, MZ_WRITE); break;
	case WEAK_READ: report_access(host, t, op->what, MZ_WEAK_READ); break;
	case WEAK_WRITE: report_access(host, t, op->what, MZ_WEAK_WRITE); break;
	case BOTH:
		report_access(host, t, op->what, MZ_READ);
		report_access(host, t, (op->what + 1) % HOST_OBJECTS, MZ_WRITE);
		break;
	case ACQUIRE:
		if (!host->m.parked[t]) check(host, mz_engine_sync(engine, t, MZ_ENGINE_ACQUIRE, op->what));
		break; /* an attempt is reported as the thread is blocked */
	case RELEASE: check(host, mz_engine_sync(engine, t, MZ_ENGINE_RELEASE, op->what)); break;
	case RELEASE_ANY: check(host, mz_engine_sync(engine, t, MZ_ENGINE_RELEASE_ANY, op->what)); break;
	case TRY: check(host, mz_engine_sync(engine, t, MZ_ENGINE_TRY, op->what)); break;
	case UNTRY:
		if (host->m.world.got[t][op->what]) check(host, mz_engine_sync(engine, t, MZ_ENGINE_RELEASE, op->what));
		break;
	case SPAWN: check(host, mz_engine_sync(engine, t, MZ_ENGINE_SPAWN, op->what)); break;
	case JOIN: check(host, mz_engine_sync(engine, t, MZ_ENGINE_JOIN, op->what)); break;
	case POLL:
		report_access(host, t, op->what, MZ_READ);
		check(host, mz_engine_yield(engine, t));
		break;
	case NOTHING:
		if (op->what) check(host, mz_engine_yield(engine, t));
		break; /* a step of which nothing is said is a yield, too */
	default: report_told(host, t, op);
	}
}

static void make_step(struct host *host, unsigned t)
{
	const struct host_op *first = host_next(&host->m, t), *end = host_next_end(&host->m, t);
	host_machine_step(&host->m, t);
	for (const struct host_op *op = first; op < end; op++) report(host, t, op);
	for (int n = 0; n < 2 && host->m.done[t]; n++) check(host, mz_engine_finish_thread(host->engine, t));
}

static void start(struct host *host, const struct host_program *p)
{
	host_machine_start(&host->m, p);
	memset(host->blocked, 0, sizeof host->blocked);
	memset(host->told, 0, sizeof host->told);
	check(host, mz_engine_begin(host->engine));
	for (unsigned n = 0; n < HOST_SEMAPHORES && p->tells; n++)
		check(host, mz_engine_declare(host->engine, MZ_ENGINE_TAKE, n, p->semaphores[n]));
	for (unsigned n = 0; n < HOST_FLAGS && p->tells; n++)
		check(host, mz_engine_declare(host->engine, MZ_ENGINE_AWAIT, n, p->flags[n]));
	announce(host);
}

static bool gives_up(struct host *host)
{
	if (!host->abandons || host->abandoned == ABANDONED || host_chance(20)) return false;
	for (int n = 0; n < 2; n++) check(host, mz_engine_abandon(host->engine));
	host->abandoned++;
	return true;
}

/* Runs an execution. Returns what the engine ended it with. */
static int run(struct host *host, const struct host_program *p)
{
	int thread;
	start(host, p);
	while ((thread = mz_engine_schedule(host->engine)) >= 0) {
		unsigned t = (unsigned)thread;
		if (t >= p->threads || !host_can_go(&host->m, t)) {
			host->wrong = true;
			break;
		}
		if (gives_up(host)) return MZ_ENGINE_CUT;
		make_step(host, t);
		announce(host);
		if (gives_up(host)) return MZ_ENGINE_CUT;
	}
	return thread;
}

/* ---- judging ---- */

struct plan {
	mz_engine_options options;
	unsigned graphs;       /* how many are to be found; */
	struct host_cost most; /* they cost no more than this */
	unsigned executions;   /* or 0: any number */
	bool straight;         /* nothing is redundant */
	bool samples;
	bool more; /* graphs that cost more may be found, too */
	bool abandons;
};

static uint64_t futile, executions;

static bool complain(const struct host_program *p, const struct plan *plan, const char *format, ...)
{
	const mz_engine_options *o = &plan->options;
	va_list arguments;
	printf("%s, order %s%s%s", o->strategy, o->order ? o->order : "dfs", o->no_sleep ? ", no sleep" : "",
	       plan->abandons ? ", abandoned" : "");
	if (o->bounded) printf(", %u preemptions", o->preemptions);
	if (o->iterate) printf(", iterated");
	if (o->fair) printf(", fair %u", o->yields);
	if (o->delayed) printf(", %u delays", o->delays);
	printf(": ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	host_print(p);
	return false;
}

static bool is_within(const struct host_cost *cost, const struct host_cost *most)
{
	return cost->preemptions <= most->preemptions && cost->delays <= most->delays && cost->unfair <= most->unfair;
}

/* Runs everything; leaves in the truth which graphs were seen, and returns how many; -1 if one is wrong. `*ran` is how
 * many executions ran to their end within the last bound. */
static int explore(struct host *host, const struct host_program *p, const struct plan *plan, struct host_truth *truth,
                   unsigned *ran)
{
	int seen = 0;
	uint32_t bound = mz_engine_bound(host->engine);
	*ran = 0;
	for (unsigned n = 0; n < truth->ngraphs; n++) truth->graphs[n].seen = false;
	do {
		if (mz_engine_bound(host->engine) != bound) *ran = 0;
		bound = mz_engine_bound(host->engine);
		int end = run(host, p);
		if (host->wrong || end == MZ_ENGINE_ERROR) break;
		if (mz_engine_aborted(host->engine) != (end == MZ_ENGINE_CUT)) host->wrong = true;
		if (end == MZ_ENGINE_CUT) continue;
		struct host_graph *graph = host_find_graph(truth, host->m.hash);
		if (!graph) return -1;
		bool within = is_within(&graph->least, &plan->most);
		if (!within && !plan->more) return -1;
		seen += within && !graph->seen;
		graph->seen = true;
		++*ran;
	} while (mz_engine_next(host->engine));
	return seen;
}

/* What an exploration came to. */
struct outcome {
	mz_engine_counts counts;
	int seen;
	unsigned ran, abandoned;
	bool complete, wrong;
	char error[200];
};

static struct outcome outcome_of(const struct host_program *p, const struct plan *plan, struct host_truth *truth)
{
	static struct host host;
	struct outcome o = {0};
	host =
	    (struct host){.engine = mz_engine_new(&plan->options, o.error, sizeof o.error), .abandons = plan->abandons};
	if (!host.engine) return o;
	o.seen = explore(&host, p, plan, truth, &o.ran);
	o.counts = mz_engine_count(host.engine);
	o.complete = mz_engine_complete(host.engine);
	o.wrong = host.wrong || o.complete != !mz_engine_incomplete(host.engine);
	o.abandoned = host.abandoned;
	if (mz_engine_error(host.engine)) snprintf(o.error, sizeof o.error, "%s", mz_engine_error(host.engine));
	mz_engine_free(host.engine);
	futile += o.counts.futile;
	executions += o.counts.executions;
	return o;
}

static bool judge(const struct host_program *p, const struct plan *plan, struct host_truth *truth)
{
	struct outcome o = outcome_of(p, plan, truth);
	if (*o.error) return complain(p, plan, "%s", o.error);
	if (o.wrong) return complain(p, plan, "a call failed");
	if (o.seen < 0) return complain(p, plan, "a graph that is none");
	if (o.counts.executions != o.ran)
		return complain(p, plan, "%u executions counted, %u run", (unsigned)o.counts.executions, o.ran);
	if (o.counts.abandoned > o.abandoned) return complain(p, plan, "too many were abandoned");
	if (plan->abandons && o.counts.abandoned) return !o.complete || complain(p, plan, "complete");
	if (plan->samples) return true;
	if (!o.complete) return complain(p, plan, "not complete");
	if ((unsigned)o.seen != plan->graphs) return complain(p, plan, "%d of %u graphs", o.seen, plan->graphs);
	if (o.counts.traces != plan->graphs && !plan->more)
		return complain(p, plan, "%u traces for %u", (unsigned)o.counts.traces, plan->graphs);
	if (plan->executions && o.counts.executions != plan->executions)
		return complain(p, plan, "%u executions for %u", (unsigned)o.counts.executions, plan->executions);
	if (plan->straight && o.counts.redundant)
		return complain(p, plan, "%u redundant", (unsigned)o.counts.redundant);
	return true;
}

static const struct host_cost anything = {UINT32_MAX, UINT32_MAX, UINT32_MAX};

static struct plan plan_for(const struct host_program *p, const struct host_truth *truth, const char *strategy)
{
	return (struct plan){
	    .options = {.threads = p->first, .strategy = strategy, .tries_locks = p->tries, .count_traces = 1},
	    .graphs = truth->ngraphs,
	    .most = anything};
}

static bool judge_unbounded(const struct host_program *p, struct host_truth *truth)
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

/* Returns whether it is not always known if a thread has to wait, so that more may be explored than a bound allows. */
static bool is_uncertain(const struct host_program *p)
{
	return p->waits && !p->tells;
}

static bool judge_preemptions(const struct host_program *p, struct host_truth *truth, unsigned bound)
{
	static const char *const strategies[] = {"optimal", "cbpor", "dfs"};
	for (unsigned s = 0; s < 3; s++) {
		struct plan plan = plan_for(p, truth, strategies[s]);
		plan.options.bounded = 1;
		plan.options.preemptions = bound;
		plan.most.preemptions = bound;
		plan.graphs = host_count_within(truth, plan.most);
		plan.more = s < 2 && is_uncertain(p);
		plan.straight = !plan.more;
		if (!plan.more) plan.executions = s < 2 ? plan.graphs : truth->within[bound];
		if (!judge(p, &plan, truth)) return false;
		if (s == 1) continue;
		plan.options.iterate = 1; /* up to that bound */
		if (!judge(p, &plan, truth)) return false;
	}
	return true;
}

static bool judge_bounded(const struct host_program *p, struct host_truth *truth)
{
	for (unsigned bound = 0; bound < HOST_BOUNDS; bound++) {
		if (!judge_preemptions(p, truth, bound)) return false;
		struct plan plan = plan_for(p, truth, "dfs");
		plan.options.delayed = 1;
		plan.options.delays = bound;
		plan.most.delays = bound;
		plan.graphs = host_count_within(truth, plan.most);
		if (!judge(p, &plan, truth)) return false;
		plan = plan_for(p, truth, "dfs");
		plan.options.fair = 1;
		plan.options.yields = bound;
		plan.most.unfair = bound;
		plan.graphs = host_count_within(truth, plan.most);
		plan.executions = truth->fair_within[bound];
		if (!judge(p, &plan, truth)) return false;
	}
	struct plan plan = plan_for(p, truth, "optimal"); /* until nothing is left out */
	plan.options.iterate = 1;
	if (!is_uncertain(p)) plan.executions = truth->ngraphs;
	return judge(p, &plan, truth);
}

static bool judge_samples(const struct host_program *p, struct host_truth *truth)
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

static bool judge_abandoned(const struct host_program *p, struct host_truth *truth)
{
	static const char *const strategies[] = {"optimal", "source", "dpor", "dpor-cr", "cbpor", "dfs", "pos"};
	for (unsigned s = 0; s < 7; s++) {
		struct plan plan = plan_for(p, truth, strategies[s]);
		plan.abandons = true;
		plan.samples = s == 6;
		if (plan.samples) plan.options.max_executions = 10;
		if (!judge(p, &plan, truth)) return false;
	}
	return true;
}

/* ---- all together ---- */

static bool judge_all(const struct host_program *p, struct host_truth *truth, bool bounded)
{
	return judge_unbounded(p, truth) && (!bounded || judge_bounded(p, truth)) && judge_samples(p, truth) &&
	       judge_abandoned(p, truth);
}

int main(int argc, char **argv)
{
	static const char *const kinds[] = {"plain", "locks", "tries", "children", "flags",
	                                    "mixed", "told",  "glued", "attempts", "yields"};
	static struct host_truth truth;
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 100, wrong = 0, graphs = 0;
	const char *kind = argc > 3 ? argv[3] : "all";
	for (unsigned long n = 0; n < count && wrong < 10; n++) {
		struct host_program p;
		host_seed(seed + n);
		do {
			p = host_generate(strcmp(kind, "all") ? kind : kinds[(seed + n) % 10]);
		} while (!host_brute_force(&p, &truth));
		graphs += truth.ngraphs;
		if (judge_all(&p, &truth, argc <= 4)) continue;
		printf("  program %llu\n", (unsigned long long)(seed + n));
		wrong++;
	}
	printf("%lu programs, %lu graphs, %llu executions, %llu futile, %lu wrong\n", count, graphs,
	       (unsigned long long)executions, (unsigned long long)futile, wrong);
	return wrong != 0;
}
