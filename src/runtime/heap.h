/* SPDX-License-Identifier: MIT
 *
 * The program's heap: a region per thread, so that addresses do not depend on the interleaving. Within an execution
 * nothing is handed out twice; what was freed stays recognisable.
 */
#ifndef MZ_RUNTIME_HEAP_H
#define MZ_RUNTIME_HEAP_H

#include "runtime/layout.h"
#include "runtime/runtime.h"

void mz_heap_init(void);
void mz_heap_save(void);
void mz_heap_restore(void);
/* See state.h. */
void mz_heap_store(struct mz_state *state);
size_t mz_heap_bytes(void); /* of a state, about */
void mz_heap_load(struct mz_state *state, uint32_t nfibers);

/* What is allocated, to identity.h. */
void mz_heap_identity(struct mz_state *state);

/* Whether the heap serves allocations: from the start of a session on. */
bool mz_heap_active(void);

void *mz_heap_alloc(struct mz_fiber *owner, size_t size, size_t alignment, uintptr_t caller);
void *mz_heap_realloc(struct mz_fiber *owner, void *block, size_t size, uintptr_t caller);
void mz_heap_free(struct mz_fiber *self, void *block, uintptr_t caller);
/* How many bytes the program asked for. */
size_t mz_heap_size(void *block);

static inline bool mz_heap_holds(uintptr_t address)
{
	return address - MZ_LAYOUT_HEAP < MZ_SESSION_THREADS * MZ_LAYOUT_HEAP_REGION;
}

/* Reports an access to what is not, or no longer, allocated. */
void mz_heap_check_slow(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller);

static inline void mz_heap_check(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	if (!mz_heap_holds(address)) return;
	const uint8_t *shadow = (const uint8_t *)(MZ_LAYOUT_SHADOW + ((address - MZ_LAYOUT_HEAP) >> 4));
	/* a byte says how many of its 16 are allocated; more than 16 means something else */
	if (*shadow <= 16 && (address & 15) + size <= *shadow) return;
	mz_heap_check_slow(self, address, size, write, caller);
}

/* The block that holds an address (freed or not), for reports: false if none. */
struct mz_heap_block {
	uintptr_t address;
	size_t size;
	uint32_t owner;
	uintptr_t allocated_at;
	bool freed;
	uintptr_t freed_at;
	uint32_t freed_by;
};
bool mz_heap_find(uintptr_t address, struct mz_heap_block *block);

#endif
