/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/reach.h"
#include "concolic/abi.h"
#include "concolic/told.h"
#include "runtime/inputs/follow.h"
#include "runtime/inputs/list.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/shadow.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include <dlfcn.h>
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_TEXT 256
#define PAGE 4096
#define MOST_OBJECTS (1U << 20)
#define MOST_BYTES (1U << 26)

/* ---- how large it is ---- */

/* Looks through a text up to its end, and never beyond the page in which that may be missing. */
static bool text_depends(uintptr_t text)
{
	if (!mz_shadow_may_be_at(text)) return false;
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

/* ---- what is there ---- */

#define MOST_DEPTH 3     /* as from a message to its parts to their bytes */
#define MOST_WORDS 512   /* of an object, that may be pointers */
#define MOST_VISITS 4096 /* objects, for each call */

static bool depends(uintptr_t pointer, size_t size, unsigned depth, unsigned *visits);

/* Copies words of an object that may be pointers, as far as there is memory. Returns how many. */
static size_t copy_words(uintptr_t *words, uintptr_t from, size_t size)
{
	if (size > MOST_WORDS * sizeof *words) size = MOST_WORDS * sizeof *words;
	size_t first = PAGE - from % PAGE < size ? PAGE - from % PAGE : size;
	const struct iovec to = {words, size};
	const struct iovec parts[] = {{(void *)from, first}, {(void *)(from + first), size - first}};
	int error = errno;
	ssize_t copied = MZ_REAL(process_vm_readv)(getpid(), &to, 1, parts, 2, 0);
	errno = error;
	return copied < 0 ? 0 : (size_t)copied / sizeof *words;
}

/* Looks at what a word of an object leads to, if it is a pointer; `next`: the word after it, which may say how much that
 * is. */
static bool word_depends(uintptr_t pointer, uintptr_t next, unsigned depth, unsigned *visits)
{
	const struct mz_reached there = {pointer, 0, next};
	if (pointer < PAGE || *visits == 0) return false;
	--*visits;
	size_t size = size_of(&there);
	return depends(pointer, size ? size : sizeof(uintptr_t), depth + 1, visits) || text_depends(pointer);
}

static bool depends(uintptr_t pointer, size_t size, unsigned depth, unsigned *visits)
{
	static uintptr_t copies[MOST_DEPTH][MOST_WORDS + 1];
	if (mz_shadow_is_there(pointer, size)) return true;
	if (depth == MOST_DEPTH || pointer % sizeof(uintptr_t)) return false;
	uintptr_t *words = copies[depth];
	size_t n = copy_words(words, pointer, size);
	words[n] = 1;
	if (depth == 0 && mz_list_is(words, n) && mz_list_depends(words)) return true;
	for (size_t i = 0; i < n; i++)
		if (word_depends(words[i], words[i + 1], depth, visits)) return true;
	return false;
}

/* ---- who reads it ---- */

const char *mz_reach_name(uintptr_t callee)
{
	Dl_info info;
	bool named = dladdr((const void *)callee, &info) && info.dli_saddr == (const void *)callee && info.dli_sname;
	return named && (info.dli_sname[0] != '_' || info.dli_sname[1] != 'Z') ? info.dli_sname : NULL;
}

/* Reports whether a function of libmazurka.so that was called by its address reads memory without telling. */
static bool is_untold(uintptr_t callee)
{
	const char *name = mz_reach_name(callee);
	return !name || mz_told_not(name) != 0;
}

/* Reports whether a function reads memory without telling. A call that names a function of libmazurka.so is told of only
 * if that is so. */
static bool is_silent(uintptr_t callee, const char *name)
{
	if (!callee) return true;
	if (callee - mz_image_own_start < mz_image_own_size) return *name || is_untold(callee);
	return mz_unobserved_is_blind(callee);
}

/* Functions of the C++ library are mostly given objects of their own, which lead everywhere: only those are looked at. */
void mz_reach(uintptr_t callee, const struct mz_reached *reached, const char *name, uintptr_t caller)
{
	unsigned visits = MOST_VISITS;
	if (reached->pointer < PAGE) return;
	mz_follow_end();
	bool mangled = name[0] == '_' && name[1] == 'Z';
	bool found = depends(reached->pointer, size_of(reached), mangled ? MOST_DEPTH : 0, &visits);
	if (!found && !reached->size) found = text_depends(reached->pointer);
	if (!found || !is_silent(callee, name)) return;
	mz_inputs_lose(callee ? MZ_SYM_LOST_CALL : MZ_SYM_LOST_OTHER,
	               mangled ? NULL
	               : *name ? name
	                       : mz_reach_name(callee),
	               caller);
}
