/* SPDX-License-Identifier: MIT
 *
 * The program's heap: a region per thread, so that addresses do not depend on the interleaving. Within an execution
 * nothing is handed out twice; what was freed stays recognisable.
 */
#ifndef MZ_RUNTIME_MEMORY_HEAP_H
#define MZ_RUNTIME_MEMORY_HEAP_H

#include "runtime/core/core.h"

/* Reserves the heap's addresses. Called once, before the program allocates. */
void mz_heap_init(void);
/* Makes what is allocated now part of the image. Called before mz_image_save(). */
void mz_heap_save(void);
void mz_heap_restore(void);
/* See state.h. */
void mz_heap_store(struct mz_state *state);
size_t mz_heap_bytes(void); /* about how many bytes mz_heap_store() adds to a state */
void mz_heap_load(struct mz_state *state);

/* Put into `state` what is allocated, and return a hash of what a mirror does not have of the heap: for identity.h. */
void mz_heap_identity(struct mz_state *state);
struct mz_key mz_heap_hash(void);

/* Reports whether the heap serves allocations: it does from the start of a session on. */
bool mz_heap_active(void);

/* Which functions allocate and release a block: they go together. */
enum mz_heap_family { MZ_HEAP_MALLOC, MZ_HEAP_NEW, MZ_HEAP_NEW_ARRAY };

struct mz_heap_request {
	size_t size;
	size_t alignment; /* a power of two; 0: the alignment that every block has */
	uint8_t family;
	bool zero; /* the bytes must be 0 */
	uintptr_t caller;
};

struct mz_heap_release {
	uint8_t family;
	bool aligned; /* the call is for blocks that were allocated with an alignment */
	bool sized;   /* the call gave `size` */
	size_t size;
	uintptr_t caller;
};

/* Returns how many bytes the largest block can have that a thread allocates. */
size_t mz_heap_most(const struct mz_fiber *thread);

/* Returns how many bytes the program asked for. */
size_t mz_heap_size(void *block);

/* The value of every byte of a small block that was not written to yet. */
#define MZ_HEAP_UNTOUCHED 0xbe

/* Reports whether an address is in the heap. */
static inline bool mz_heap_holds(uintptr_t address)
{
	return address - MZ_LAYOUT_HEAP < MZ_LAYOUT_HEAP_END - MZ_LAYOUT_HEAP;
}

/* Reports whether an access to a heap is certainly allowed. If not, mz_heap_check_slow() decides. */
static inline bool mz_heap_allows(uintptr_t address, size_t size)
{
	const uint8_t *shadow = (const uint8_t *)(MZ_LAYOUT_SHADOW + ((address - MZ_LAYOUT_HEAP) >> 4));
	/* a byte says how many of its 16 are allocated; more than 16 means something else */
	return *shadow <= 16 && (address & 15) + size <= *shadow;
}

/* Finds the block that an address is in, freed or not, or that a gap between blocks is nearest to. Returns false if
 * there is none. */
struct mz_heap_block {
	uintptr_t address;
	size_t size;
	uint32_t allocated_by;
	uintptr_t allocated_at;
	bool freed;
	uintptr_t freed_at;
	uint32_t freed_by;
};
bool mz_heap_find(uintptr_t address, struct mz_heap_block *block);

#endif
