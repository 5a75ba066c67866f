/* SPDX-License-Identifier: MIT */
#include "engine/graphs/graph.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"

struct mz_graph_depth {
	struct mz_key sum;
	struct mz_key own;   /* the same of the events of the last event's thread alone */
	struct mz_key clock; /* hash of the last event's clock, without the entry of the event's own thread */
};

void mz_graphs_release(struct mz_graphs *graphs)
{
	mz_free(graphs->depths);
	mz_keyset_release(&graphs->seen);
	mz_keyset_release(&graphs->local);
	*graphs = (struct mz_graphs){.count_local = graphs->count_local};
}

/* Adds a word to both halves of a key, by two unrelated functions. */
static void stir(struct mz_key *key, uint64_t word)
{
	key->low = mz_hash2(key->low, word);
	key->high = mz_mix(key->high * 0xff51afd7ed558ccdULL ^ (word + 0xc4ceb9fe1a85ec53ULL));
}

static struct mz_key plus(struct mz_key a, struct mz_key b)
{
	return (struct mz_key){a.low + b.low, a.high + b.high};
}

static struct mz_key clock_hash(const struct mz_execution *x, const struct mz_event_record *r)
{
	struct mz_key sum = {0};
	for (uint32_t t = 0; t < r->clock.length; t++) {
		uint32_t count = x->counts[r->clock.offset + t];
		if (count == 0 || t == r->event.thread) continue;
		struct mz_key entry = {1, 2};
		stir(&entry, (uint64_t)t << 32 | count);
		sum = plus(sum, entry);
	}
	return sum;
}

static struct mz_key event_hash(const struct mz_event_record *r, struct mz_key clock)
{
	struct mz_key hash = {3, 4};
	stir(&hash, (uint64_t)r->event.thread << 32 | r->position);
	stir(&hash, (uint64_t)r->event.op << 32 | r->event.choice);
	for (unsigned n = 0; n < r->event.naccesses; n++) {
		const struct mz_access *access = &r->event.accesses[n];
		stir(&hash, access->object);
		stir(&hash, (uint64_t)access->mask << 8 | access->kind);
	}
	stir(&hash, clock.low);
	stir(&hash, clock.high);
	return hash;
}

static bool same_clock(struct mz_event_clock a, struct mz_event_clock b)
{
	return a.offset == b.offset && a.length == b.length;
}

/* Returns the hash of what happens before the last event, and of that event. */
static struct mz_key local_hash(const struct mz_graphs *graphs, const struct mz_execution *x)
{
	const struct mz_event_record *r = &x->records[x->depth - 1];
	struct mz_key sum = graphs->depths[x->depth - 1].own;
	for (uint32_t t = 0; t < r->clock.length; t++) {
		uint32_t count = x->counts[r->clock.offset + t];
		if (count == 0 || t == r->event.thread) continue;
		uint32_t event = x->threads[t].last;
		while (x->records[event].position > count) event = x->records[event].previous;
		sum = plus(sum, graphs->depths[event].own);
	}
	return sum;
}

bool mz_graphs_observe(struct mz_graphs *graphs, const struct mz_execution *x)
{
	uint32_t d = x->depth - 1;
	if (!mz_array_reserve(&graphs->depths, &graphs->depths_capacity, (size_t)d + 1)) return false;
	const struct mz_event_record *r = &x->records[d];
	struct mz_graph_depth *new = &graphs->depths[d];
	if (r->previous != MZ_NONE && same_clock(x->records[r->previous].clock, r->clock)) {
		new->clock = graphs->depths[r->previous].clock;
	} else {
		new->clock = clock_hash(x, r);
	}
	struct mz_key before = d ? graphs->depths[d - 1].sum : (struct mz_key){0};
	struct mz_key hash = event_hash(r, new->clock);
	new->sum = plus(before, hash);
	new->own = r->previous != MZ_NONE ? plus(graphs->depths[r->previous].own, hash) : hash;
	bool added;
	return !graphs->count_local || mz_keyset_add(&graphs->local, local_hash(graphs, x), &added);
}

struct mz_key mz_graphs_hash(const struct mz_graphs *graphs, const struct mz_execution *x)
{
	return x->depth ? graphs->depths[x->depth - 1].sum : (struct mz_key){0};
}

bool mz_graphs_count(struct mz_graphs *graphs, const struct mz_execution *x, bool *added)
{
	return mz_keyset_add(&graphs->seen, mz_graphs_hash(graphs, x), added);
}
