/* SPDX-License-Identifier: MIT */
#include "runtime/core/real.h"
#include "base/alloc.h"
#include "base/bug.h"
#include "runtime/core/caller.h"
#include "runtime/core/elf.h"
#include <string.h>

void *mz_real_find(const char *name)
{
	mz_caller_deepens();
	void *found = dlsym(RTLD_NEXT, name);
	if (!found) MZ_BUG(name);
	return found;
}

/* ---- in the C library ---- */

struct search {
	const char *name;
	uintptr_t found;
};

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;
	for (; *name; name++) hash = hash * 33 + (uint8_t)*name;
	return hash;
}

/* Looks up a symbol as a loader does, by the GNU hash table: header, filter, buckets, and a chain of hashes that ends
 * with an odd one. */
static void look_up(const struct dl_phdr_info *info, const ElfW(Dyn) * dynamic, struct search *search)
{
	const ElfW(Sym) *symbols = (const ElfW(Sym) *)mz_elf_pointer(dynamic, DT_SYMTAB, info->dlpi_addr);
	const char *names = (const char *)mz_elf_pointer(dynamic, DT_STRTAB, info->dlpi_addr);
	const uint32_t *table = (const uint32_t *)mz_elf_pointer(dynamic, DT_GNU_HASH, info->dlpi_addr);
	if (!symbols || !names || !table) return;
	const uint32_t nbuckets = table[0], first = table[1], hash = hash_of(search->name);
	const uint32_t *buckets = table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof *table);
	const uint32_t *chains = buckets + nbuckets;
	for (uint32_t i = buckets[hash % nbuckets]; i >= first; i++) {
		const uint32_t other = chains[i - first];
		if ((other | 1) == (hash | 1) && strcmp(names + symbols[i].st_name, search->name) == 0)
			search->found = info->dlpi_addr + symbols[i].st_value;
		if (search->found || other & 1) return;
	}
}

static int visit(struct dl_phdr_info *info, size_t size, void *search)
{
	(void)size;
	const char *slash = strrchr(info->dlpi_name, '/');
	const ElfW(Dyn) *dynamic = mz_elf_dynamic(info);
	if (!dynamic || strncmp(slash ? slash + 1 : info->dlpi_name, "libc.so", 7) != 0) return 0;
	look_up(info, dynamic, search);
	return 1;
}

void *mz_real_in_c_library(const char *name)
{
	struct search search = {name, 0};
	dl_iterate_phdr(visit, &search);
	return (void *)search.found;
}

static void replace(void *function, const char *name)
{
	void *found = mz_real_in_c_library(name);
	if (found) *(void **)function = found;
}

void mz_real_allocator(void)
{
	replace(&mz_c_allocator.malloc, "__libc_malloc");
	replace(&mz_c_allocator.calloc, "__libc_calloc");
	replace(&mz_c_allocator.realloc, "__libc_realloc");
	replace(&mz_c_allocator.memalign, "__libc_memalign");
	replace(&mz_c_allocator.free, "__libc_free");
}
