/* SPDX-License-Identifier: MIT
 *
 * Blocks that were freed and can be handed out again (--heap reuse): for each number of granules a list of all threads,
 * the last freed first. A list is an object of operations (MZ_SPACE_FREED): to free a block writes the list; to
 * allocate writes it if the list has a block, and reads it if the list is empty. From an empty list nothing is handed
 * out: the memory then comes from the thread's own region, at an address that does not depend on other threads.
 */
#ifndef MZ_RUNTIME_MEMORY_HEAP_LISTS_H
#define MZ_RUNTIME_MEMORY_HEAP_LISTS_H

#include "base/hash.h"
#include "runtime/core/core.h"

/* Return the length of the list for blocks of `room` granules; add a freed block to it; take the last freed one from
 * it. */
uint32_t mz_heap_list_count(uint32_t room);
void mz_heap_list_push(uint32_t room, uint8_t *start);
uint8_t *mz_heap_list_pop(uint32_t room); /* the list must not be empty */

void mz_heap_lists_reset(void);
/* See state.h, and identity.h: what is stored is also what tells states apart. */
struct mz_key mz_heap_lists_hash(void);
void mz_heap_lists_store(struct mz_state *state);
void mz_heap_lists_load(struct mz_state *state);

#endif
