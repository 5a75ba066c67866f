/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/reach.h"
#include "concolic/abi.h"
#include "runtime/inputs/follow.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/shadow.h"
#include "runtime/watch/watch.h"

#define MOST_TEXT 256
#define PAGE 4096

/* Looks through a text up to its end, and never beyond the page in which that may be missing. */
static bool text_depends(uintptr_t text)
{
	for (uintptr_t at = text; at < text + MOST_TEXT; at++) {
		if (mz_shadow_is_there(at, 1)) return true;
		if (!*(const char *)at || (at + 1) % PAGE == 0) return false;
	}
	return false;
}

void mz_reach(uintptr_t callee, uintptr_t pointer, size_t size, const char *name, uintptr_t caller)
{
	if (pointer < PAGE) return;
	mz_follow_end();
	bool depends = size ? mz_shadow_is_there(pointer, size) : text_depends(pointer);
	bool mangled = name[0] == '_' && name[1] == 'Z';
	if (depends && mz_unobserved_is_blind(callee)) mz_inputs_lose(MZ_SYM_LOST_CALL, mangled ? NULL : name, caller);
}
