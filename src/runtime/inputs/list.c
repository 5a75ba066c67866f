/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/list.h"
#include "runtime/inputs/follow.h"
#include "runtime/inputs/shadow.h"

#define GENERAL 6
#define FLOATING 8
#define REGISTERS (8 * GENERAL + 16 * FLOATING)
#define SOME_OTHERS 64 /* bytes of arguments on the stack that are looked at */
#define PAGE 4096

/* The registers that were taken already end at `general` and `floating`. */
struct list {
	uint32_t general, floating;
	uintptr_t others, registers;
};

uintptr_t mz_list_place(const void *list, uint32_t slot)
{
	const struct list *at = list;
	if (slot < GENERAL) return at->registers + (uintptr_t)8 * slot;
	slot -= GENERAL;
	if (slot < FLOATING) return at->registers + 8 * GENERAL + (uintptr_t)16 * slot;
	return at->others + (uintptr_t)8 * (slot - FLOATING);
}

void mz_list_forget(const void *list)
{
	mz_follow_end();
	mz_shadow_fill(((const struct list *)list)->registers, REGISTERS, 0);
}

bool mz_list_depends(const void *list)
{
	const struct list *at = list;
	uint32_t general = at->general, floating = at->floating;
	mz_follow_end();
	return (general < 8 * GENERAL && mz_shadow_is_there(at->registers + general, 8 * GENERAL - general)) ||
	       (floating < REGISTERS && mz_shadow_is_there(at->registers + floating, REGISTERS - floating)) ||
	       mz_shadow_is_there(at->others, SOME_OTHERS);
}

bool mz_list_is(const uintptr_t *words, size_t n)
{
	if (n < sizeof(struct list) / sizeof *words) return false;
	const struct list *at = (const struct list *)words;
	bool counts = at->general <= 8 * GENERAL && at->floating >= 8 * GENERAL && at->floating <= REGISTERS;
	return counts && at->others >= PAGE && at->registers >= PAGE;
}
