/* SPDX-License-Identifier: MIT
 *
 * The note on a graph g and a thread t is 1 + cost(g, t), or 0 as long as that is not known.
 */
#include "engine/graphs/context.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"

#define NEVER UINT32_MAX

/* A cost(g, t) that is being computed. */
struct mz_context_frame {
	uint64_t hash; /* hash of the graph without the run that is being tried; the cut of that graph is in `rows` */
	uint32_t graph;
	uint32_t shorter; /* number of the graph without the run; MZ_NO_PREFIX before the first run */
	uint32_t thread;
	uint32_t floor; /* the position after which the longest run starts */
	uint32_t least; /* a lower bound on the cost */
	uint32_t best;
	/* the next thread to be tried as the one before the run: first those that are not preempted by it (up to
	 * `width`), then the others */
	uint32_t before;
};

void mz_context_init(struct mz_context *c, struct mz_execution *x, size_t max_bytes)
{
	*c = (struct mz_context){.prefixes.max_bytes = max_bytes};
	mz_cuts_init(&c->cuts, x);
}

void mz_context_release(struct mz_context *c)
{
	mz_cuts_release(&c->cuts);
	mz_prefixes_release(&c->prefixes);
	mz_free(c->frames);
	mz_free(c->rows);
	mz_free(c->row);
	*c = (struct mz_context){0};
}

static void fail(struct mz_context *c)
{
	c->cuts.x->failed = true;
}

void mz_context_observe(struct mz_context *c)
{
	struct mz_prefixes *prefixes = &c->prefixes;
	if (!mz_cuts_observe(&c->cuts)) fail(c);
	if (!prefixes->max_bytes || mz_context_bytes(c) <= prefixes->max_bytes) return;
	prefixes->full = true;
	fail(c);
}

void mz_context_set_view(struct mz_context *c, const struct mz_view *view)
{
	bool right = mz_cuts_set_view(&c->cuts, view) && mz_prefixes_widen(&c->prefixes, c->cuts.width);
	if (!right || !mz_array_reserve(&c->row, &c->row_capacity, c->cuts.width)) fail(c);
}

/* ---- graphs ---- */

uint32_t mz_context_find(struct mz_context *c, const struct mz_cut *cut)
{
	mz_cut_row(&c->cuts, cut, c->row);
	return mz_prefixes_find(&c->prefixes, c->row, cut->hash);
}

uint32_t mz_context_find_next(struct mz_context *c, const struct mz_cut *cut, uint32_t thread, uint32_t choice)
{
	uint32_t past = mz_cut_next(&c->cuts, cut, thread, choice);
	if (past == MZ_NO_PAST) return MZ_NO_PREFIX;
	mz_cut_row(&c->cuts, cut, c->row);
	uint64_t hash = cut->hash ^ mz_prefix_hash(c->row[thread]) ^ mz_prefix_hash(past);
	c->row[thread] = past;
	return mz_prefixes_find(&c->prefixes, c->row, hash);
}

uint32_t mz_context_add(struct mz_context *c, const struct mz_cut *cut)
{
	uint32_t number = MZ_NO_PREFIX;
	mz_cut_row(&c->cuts, cut, c->row);
	if (!mz_prefixes_add(&c->prefixes, c->row, cut->hash, &number)) {
		fail(c);
		return MZ_NO_PREFIX;
	}
	return number;
}

/* ---- costs ---- */

static struct mz_cut cut_of(const struct mz_context *c, size_t frame)
{
	return (struct mz_cut){c->frames[frame].hash, c->rows + frame * c->cuts.width};
}

/* Pushes a frame for the graph of `cut`, which has the number `graph`. Returns false when there is no memory. */
static bool push(struct mz_context *c, const struct mz_cut *cut, uint32_t graph, uint32_t thread)
{
	size_t n = c->nframes, width = c->cuts.width;
	uint32_t floor = mz_cut_floor(&c->cuts, cut, thread), least = mz_cut_preemptions(&c->cuts, cut, thread);
	if (!mz_array_reserve(&c->frames, &c->frames_capacity, n + 1)) return false;
	const uint32_t *from = cut->at;
	bool own = n && from >= c->rows && from < c->rows + n * width; /* the cut of a frame moves with the rows */
	size_t offset = own ? (size_t)(from - c->rows) : 0;
	if (!mz_array_reserve(&c->rows, &c->rows_capacity, (n + 1) * width)) return false;
	if (own) from = c->rows + offset;
	for (size_t t = 0; t < width; t++) c->rows[n * width + t] = from[t];
	c->frames[n] = (struct mz_context_frame){.hash = cut->hash,
	                                         .graph = graph,
	                                         .shorter = MZ_NO_PREFIX,
	                                         .thread = thread,
	                                         .floor = floor,
	                                         .least = least,
	                                         .best = NEVER};
	c->nframes++;
	return true;
}

/* Returns where the next longer run of the thread starts that has to be tried. */
static uint32_t longer_run(const struct mz_context *c, uint32_t thread, uint32_t position, uint32_t floor)
{
	const struct mz_own_event *own = c->cuts.threads[thread].at;
	if (position - 1 > floor && own[position - 2].acquisition > floor) return position - 1;
	uint32_t wait = own[position - 1].wait;
	return wait > floor ? wait - 1 : floor;
}

/* Makes the run of the frame on top the next longer one. Returns false if there is none, or no memory. */
static bool lengthen(struct mz_context *c, struct mz_context_frame *f, struct mz_cut *cut)
{
	uint32_t start = cut->at[f->thread];
	if (start == f->floor) return false;
	mz_cut_remove_from(&c->cuts, cut, f->thread, longer_run(c, f->thread, start, f->floor));
	f->hash = cut->hash;
	f->before = 0;
	f->shorter = mz_context_add(c, cut);
	return f->shorter != MZ_NO_PREFIX;
}

/* Returns whether a thread can have made the last step of a cut. */
static bool is_last(const struct mz_context *c, const struct mz_cut *cut, uint32_t thread)
{
	return cut->at[thread] && mz_cut_floor(&c->cuts, cut, thread) < cut->at[thread];
}

/* Returns what it costs if `thread` makes the last step of a cut, whose graph has that number, and then another thread
 * goes on. Returns `best` if it cannot be less than that. Returns NEVER if the cost is not known yet: then a frame was
 * pushed to compute it. */
static uint32_t cost_before(struct mz_context *c, const struct mz_cut *cut, uint32_t graph, uint32_t thread,
                            bool preempted, uint32_t best)
{
	if (best != NEVER && mz_cut_preemptions(&c->cuts, cut, thread) + preempted >= best) return best;
	uint32_t note = mz_prefixes_notes(&c->prefixes, graph)[1 + thread];
	if (note) return note - 1 + preempted;
	if (!push(c, cut, graph, thread)) fail(c);
	return NEVER;
}

/* Tries the threads that may have gone before the run. Returns false if a cost has to be computed first. */
static bool try_before(struct mz_context *c, size_t top, const struct mz_cut *cut)
{
	struct mz_context_frame *f = &c->frames[top];
	for (uint32_t width = c->cuts.width; f->before < 2 * width && f->best > f->least; f->before++) {
		uint32_t t = f->before % width;
		if (t == f->thread || !is_last(c, cut, t)) continue;
		bool preempted = f->before >= width;
		if (preempted != (mz_cut_alternatives(&c->cuts, cut, t, false) > 0)) continue;
		uint32_t cost = cost_before(c, cut, f->shorter, t, preempted, f->best);
		if (cost == NEVER) return false;
		if (cost < f->best) f->best = cost;
	}
	return true;
}

/* Goes on with the frame on top, and takes it off when its cost is known. */
static void work(struct mz_context *c)
{
	size_t top = c->nframes - 1;
	struct mz_context_frame *f = &c->frames[top];
	struct mz_cut cut = cut_of(c, top);
	while (f->best > f->least) {
		if (f->shorter != MZ_NO_PREFIX) {
			if (mz_cut_is_empty(&c->cuts, &cut)) f->best = 0;
			if (!try_before(c, top, &cut)) return;
		}
		if (f->best > f->least && !lengthen(c, f, &cut)) break;
	}
	uint32_t cost = f->best < MZ_CONTEXT_MOST ? f->best : MZ_CONTEXT_MOST;
	mz_prefixes_notes(&c->prefixes, f->graph)[1 + f->thread] = (uint8_t)(1 + cost);
	c->nframes--;
}

/* Returns cost(g, t) for the graph g of a cut and the thread t. */
static uint32_t cost_of(struct mz_context *c, const struct mz_cut *cut, uint32_t graph, uint32_t thread)
{
	const uint8_t *note = &mz_prefixes_notes(&c->prefixes, graph)[1 + thread];
	if (!*note && !push(c, cut, graph, thread)) fail(c);
	while (c->nframes && !c->cuts.x->failed) work(c);
	return c->cuts.x->failed ? 0 : *note - 1U;
}

bool mz_context_is_within(struct mz_context *c, const struct mz_cut *cut, uint32_t thread, uint32_t bound)
{
	if (mz_cut_is_empty(&c->cuts, cut)) return true;
	if (mz_cut_preemptions(&c->cuts, cut, thread) > bound) return false;
	uint32_t graph = mz_context_add(c, cut);
	for (uint32_t n = 0; n < 2 * c->cuts.width && !c->cuts.x->failed; n++) {
		uint32_t t = n % c->cuts.width;
		if (!is_last(c, cut, t)) continue;
		bool preempted = n >= c->cuts.width; /* threads that are not preempted come first */
		if (preempted != (t != thread && mz_cut_alternatives(&c->cuts, cut, t, false) > 0)) continue;
		if (mz_cut_preemptions(&c->cuts, cut, t) + preempted > bound) continue;
		if (cost_of(c, cut, graph, t) + preempted <= bound) return true;
	}
	return false;
}

/* ---- the order that costs least ---- */

/* Returns a thread that can have gone before a run of `thread`, which was taken out of the cut, at the cost `cost` for
 * everything including the run; or MZ_NO_THREAD. */
static uint32_t find_before(struct mz_context *c, const struct mz_cut *cut, uint32_t thread, uint32_t cost)
{
	uint32_t graph = mz_context_add(c, cut);
	for (uint32_t t = 0; t < c->cuts.width && !c->cuts.x->failed; t++) {
		if (t == thread || !is_last(c, cut, t)) continue;
		uint32_t preempted = mz_cut_alternatives(&c->cuts, cut, t, false) > 0;
		uint32_t all = cost_of(c, cut, graph, t) + preempted;
		if (all == cost || (all > MZ_CONTEXT_MOST && cost == MZ_CONTEXT_MOST)) return t;
	}
	return MZ_NO_THREAD;
}

/* Takes the last run of the thread out of the cut, and returns the thread that went before it. */
static uint32_t take_run(struct mz_context *c, struct mz_cut *cut, uint32_t thread)
{
	uint32_t floor = mz_cut_floor(&c->cuts, cut, thread), before = MZ_NO_THREAD;
	uint32_t cost = cost_of(c, cut, mz_context_add(c, cut), thread);
	while (before == MZ_NO_THREAD && cut->at[thread] > floor && !c->cuts.x->failed) {
		mz_cut_remove_from(&c->cuts, cut, thread, longer_run(c, thread, cut->at[thread], floor));
		if (!mz_cut_is_empty(&c->cuts, cut)) before = find_before(c, cut, thread, cost);
	}
	return before;
}

bool mz_context_order(struct mz_context *c, struct mz_cut *cut, uint32_t thread, struct mz_step *steps, uint32_t n)
{
	while (n && thread != MZ_NO_THREAD && !c->cuts.x->failed) {
		uint32_t end = cut->at[thread], before = take_run(c, cut, thread);
		const struct mz_own_event *own = c->cuts.threads[thread].at;
		for (uint32_t position = end; position > cut->at[thread]; position--)
			steps[--n] = (struct mz_step){thread, c->cuts.x->records[own[position - 1].depth].event.choice};
		thread = before;
	}
	MZ_REQUIRE(n == 0 || c->cuts.x->failed);
	return n == 0;
}

size_t mz_context_bytes(const struct mz_context *c)
{
	return c->prefixes.bytes + mz_pasts_bytes(&c->cuts.pasts);
}
