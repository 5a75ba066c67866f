/* SPDX-License-Identifier: MIT */
#include "runtime/objects/finalisers.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include <link.h>

typedef void finaliser(void);

/* What the loader calls, in this order. */
static finaliser **list;
static size_t count, capacity;

static void add(finaliser *function)
{
	mz_array_require(&list, &capacity, count + 1);
	list[count++] = function;
}

/* The compiler's own start files put one function into the array of every module, which has nothing to do for a process
 * that ends: a module without others is left out. */
static int add_module(struct dl_phdr_info *info, size_t size, void *argument)
{
	(void)size;
	(void)argument;
	const ElfW(Dyn) *dynamic = mz_elf_dynamic(info);
	if (!dynamic) return 0;
	finaliser **functions = (finaliser **)mz_elf_pointer(dynamic, DT_FINI_ARRAY, info->dlpi_addr);
	finaliser *last = (finaliser *)mz_elf_pointer(dynamic, DT_FINI, info->dlpi_addr);
	size_t n = mz_elf_number(dynamic, DT_FINI_ARRAYSZ) / sizeof *functions;
	if (!functions || n < 2 || !mz_image_owns_code((uintptr_t)functions[0])) return 0;
	while (n) add(functions[--n]);
	if (last) add(last);
	return 0;
}

void mz_finalisers_find(void)
{
	dl_iterate_phdr(add_module, NULL);
}

bool mz_finalisers_exist(void)
{
	return count;
}

void mz_finalisers_run(void)
{
	if (mz_rt.exit.finalises) return;
	mz_rt.exit.finalises = true;
	for (size_t i = 0; i < count; i++) list[i]();
}
