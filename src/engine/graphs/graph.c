/* SPDX-License-Identifier: MIT */
#include "engine/graphs/graph.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"

struct mz_graph_depth {
	struct mz_key sum;
	struct mz_key clock; /* hash of the last event's clock, without the entry of the event's own thread */
};

void mz_graphs_release(struct mz_graphs *graphs)
{
	mz_free(graphs->depths);
	mz_keyset_release(&graphs->seen);
	*graphs = (struct mz_graphs){0};
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
	new->sum = plus(before, event_hash(r, new->clock));
	return true;
}

struct mz_key mz_graphs_hash(const struct mz_graphs *graphs, const struct mz_execution *x)
{
	return x->depth ? graphs->depths[x->depth - 1].sum : (struct mz_key){0};
}

bool mz_graphs_count(struct mz_graphs *graphs, const struct mz_execution *x, bool *added)
{
	return mz_keyset_add(&graphs->seen, mz_graphs_hash(graphs, x), added);
}
