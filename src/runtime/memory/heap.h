/* SPDX-License-Identifier: MIT
 *
 * The program's heap: a region per thread, so that addresses do not depend on the interleaving. Within an execution
 * nothing is handed out twice; what was freed stays recognisable.
 */
#ifndef MZ_RUNTIME_MEMORY_HEAP_H
#define MZ_RUNTIME_MEMORY_HEAP_H

#include "runtime/core/core.h"

void mz_heap_init(void);
/* What is there now becomes part of the image: before mz_image_save(). */
void mz_heap_save(void);
void mz_heap_restore(void);
/* See state.h. */
void mz_heap_store(struct mz_state *state);
size_t mz_heap_bytes(void); /* of a state, about */
void mz_heap_load(struct mz_state *state);

/* What is allocated: to identity.h. Besides what a mirror has of it: to what is hashed. */
void mz_heap_identity(struct mz_state *state);
struct mz_key mz_heap_hash(void);

/* Whether the heap serves allocations: from the start of a session on. */
bool mz_heap_active(void);

/* Which functions allocate and release a block: they go together. */
enum mz_heap_family { MZ_HEAP_MALLOC, MZ_HEAP_NEW, MZ_HEAP_NEW_ARRAY };

struct mz_heap_request {
	size_t size;
	size_t alignment; /* a power of two; 0: what every block has */
	uint8_t family;
	bool zero; /* the bytes are to be 0 */
	uintptr_t caller;
};

struct mz_heap_release {
	uint8_t family;
	bool aligned; /* for blocks of an alignment of their own */
	bool sized;   /* `size` was given with it */
	size_t size;
	uintptr_t caller;
};

/* How many bytes the program asked for. */
size_t mz_heap_size(void *block);

/* Memory of a small block that nobody has written to yet holds this in every byte. */
#define MZ_HEAP_UNTOUCHED 0xbe

static inline bool mz_heap_holds(uintptr_t address)
{
	return address - MZ_LAYOUT_HEAP < MZ_SESSION_THREADS * MZ_LAYOUT_HEAP_REGION;
}

/* Whether an access to a heap is all right at a first look: it need not be wrong otherwise. */
static inline bool mz_heap_allows(uintptr_t address, size_t size)
{
	const uint8_t *shadow = (const uint8_t *)(MZ_LAYOUT_SHADOW + ((address - MZ_LAYOUT_HEAP) >> 4));
	/* a byte says how many of its 16 are allocated; more than 16 means something else */
	return *shadow <= 16 && (address & 15) + size <= *shadow;
}

/* The block that an address is in (freed or not) or, in the gaps between blocks, nearest to: false if there is none. */
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
