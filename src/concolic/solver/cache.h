/* SPDX-License-Identifier: MIT
 *
 * What earlier queries tell about later ones: answers to the same set of literals; sets of literals that cannot hold
 * together, and so no larger set can; models, that is values of input bytes, which may hold again.
 */
#ifndef MZ_CONCOLIC_SOLVER_CACHE_H
#define MZ_CONCOLIC_SOLVER_CACHE_H

#include "base/array.h"
#include "base/hash.h"
#include "base/table.h"
#include "concolic/solver/path.h"

#define MZ_CACHE_MODELS 16

/* The part of a query that matters: its literals, each once, the last constraint first, and the bytes they depend
 * on. */
struct mz_slice {
	mz_literal *literals;
	uint16_t *bytes;
	uint32_t count, nbytes;
	size_t literals_capacity, bytes_capacity;
	struct mz_key key; /* of the set of literals, in whichever order */
};

struct mz_cache_entry {
	uint64_t key_high;
	uint32_t answer; /* SAT or UNSAT */
	uint32_t count;  /* of bytes */
	size_t model;    /* of the first of them among `pairs` */
};

/* A literal of a core, in a list of all cores that the literal is in. */
struct mz_core_link {
	uint32_t core; /* place of its first literal among `literals`; the one before is their number */
	uint32_t next; /* place of the next link; 0: none */
};

struct mz_cache {
	struct mz_table places; /* from half of a key to 1 + the place of an entry */
	struct mz_cache_entry *entries;
	uint32_t *pairs; /* byte << 8 | value */
	size_t nentries, npairs, entries_capacity, pairs_capacity;

	uint32_t *core_literals;
	struct mz_core_link *links;
	uint32_t *first_links; /* by literal: place of a link; 0: none */
	uint32_t *stamps;      /* by literal: the number of the last query that has it */
	size_t ncore_literals, nlinks, core_literals_capacity, links_capacity, first_links_capacity, stamps_capacity;
	uint32_t stamp;

	uint8_t *models[MZ_CACHE_MODELS]; /* NULL: none */
	uint32_t nmodels;                 /* that there have been */
};

void mz_cache_release(struct mz_cache *cache);
/* Makes room for literals of expressions up to this one. Returns false when there is no memory. */
bool mz_cache_reserve(struct mz_cache *cache, uint32_t nexpressions);

/* Returns the answer to exactly this set of literals, or NONE. SAT: `model` is changed accordingly. */
enum mz_answer mz_cache_find(const struct mz_cache *cache, const struct mz_slice *slice, uint8_t *model);
/* Reports whether the slice contains a set that cannot hold. */
bool mz_cache_has_core(struct mz_cache *cache, const struct mz_slice *slice);

/* Store what is known now. Without memory they store nothing. */
void mz_cache_store(struct mz_cache *cache, const struct mz_slice *slice, enum mz_answer answer, const uint8_t *model);
void mz_cache_store_core(struct mz_cache *cache, const mz_literal *literals, uint32_t count);
void mz_cache_store_model(struct mz_cache *cache, const uint8_t *model, uint32_t nbytes);

#endif
