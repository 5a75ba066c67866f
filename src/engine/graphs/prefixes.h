/* SPDX-License-Identifier: MIT
 *
 * A table of the happens-before graphs of prefixes of executions. A graph is a row of numbers: for each thread the
 * number of the past (pasts.h) of its last event. Its hash is the exclusive or of the hashes of these numbers, so it
 * can be kept up to date when one of them changes; equal hashes are followed by a comparison of the rows.
 *
 * Each graph has notes: a byte for the graph and one for each thread, all 0 at first.
 */
#ifndef MZ_ENGINE_GRAPHS_PREFIXES_H
#define MZ_ENGINE_GRAPHS_PREFIXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MZ_NO_PREFIX UINT32_MAX

/* All zero is ready for use, but for rows of no threads at all. */
struct mz_prefixes {
	uint32_t width; /* threads in a row */
	unsigned char **chunks;
	size_t nchunks, chunks_capacity;
	size_t count;
	/* a hash table with open addressing: 32 bits of the hash, and number + 1. Its slots are half as large as those
	 * of base/table.h, because there are more graphs than anything else and their memory is limited. */
	uint64_t *slots;
	size_t nslots;
	size_t bytes;     /* memory that the table takes */
	size_t max_bytes; /* 0: no limit */
	bool full;        /* the limit was reached */
};

void mz_prefixes_release(struct mz_prefixes *prefixes);

/* Returns what the last event of a thread adds to the hash; 0 for MZ_NO_PAST. */
uint64_t mz_prefix_hash(uint32_t past);

/* Makes rows longer: new threads come last, and have no events in the graphs that are there. Returns false when there
 * is no memory; `full` says whether that is because of the limit. */
bool mz_prefixes_widen(struct mz_prefixes *prefixes, uint32_t width);

/* Returns the number of a graph, or MZ_NO_PREFIX if it is not there. */
uint32_t mz_prefixes_find(const struct mz_prefixes *prefixes, const uint32_t *row, uint64_t hash);
/* Leaves the number of a graph in `*number`, and adds the graph if it is not there. Returns false as
 * mz_prefixes_widen() does. */
bool mz_prefixes_add(struct mz_prefixes *prefixes, const uint32_t *row, uint64_t hash, uint32_t *number);

/* Returns the notes on a graph: [0] for the graph, [1 + t] for thread t. Valid until rows get longer. */
uint8_t *mz_prefixes_notes(const struct mz_prefixes *prefixes, uint32_t number);

#endif
