/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/reach.h"
#include "concolic/abi.h"
#include "runtime/inputs/follow.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/shadow.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"

#define MOST_TEXT 256
#define PAGE 4096
#define MOST_OBJECTS (1U << 20)
#define MOST_BYTES (1U << 26)

/* Looks through a text up to its end, and never beyond the page in which that may be missing. */
static bool text_depends(uintptr_t text)
{
	for (uintptr_t at = text; at < text + MOST_TEXT; at++) {
		if (mz_shadow_is_there(at, 1)) return true;
		if (!*(const char *)at || (at + 1) % PAGE == 0) return false;
	}
	return false;
}

/* Returns how many bytes of objects there may be at the pointer: of a block of the heap, all that are left. A number that
 * is larger than any array counts as something else. */
static size_t size_of(const struct mz_reached *reached)
{
	struct mz_heap_block block;
	if (mz_heap_holds(reached->pointer) && mz_heap_find(reached->pointer, &block) &&
	    reached->pointer - block.address < block.size)
		return block.address + block.size - reached->pointer;
	uint64_t count = reached->count > 1 && reached->count <= MOST_OBJECTS ? reached->count : 1;
	uint64_t size = reached->size ? reached->size : count > 1;
	return size <= MOST_BYTES / count ? size * count : size;
}

void mz_reach(uintptr_t callee, const struct mz_reached *reached, const char *name, uintptr_t caller)
{
	if (reached->pointer < PAGE) return;
	mz_follow_end();
	bool depends = mz_shadow_is_there(reached->pointer, size_of(reached));
	if (!depends && !reached->size) depends = text_depends(reached->pointer);
	if (!depends) return;
	bool mangled = name[0] == '_' && name[1] == 'Z';
	if (!callee)
		mz_inputs_lose(MZ_SYM_LOST_OTHER, name, caller);
	else if (mz_unobserved_is_blind(callee))
		mz_inputs_lose(MZ_SYM_LOST_CALL, mangled ? NULL : name, caller);
}
