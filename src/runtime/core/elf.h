/* SPDX-License-Identifier: MIT
 *
 * Reading the dynamic section of a loaded module.
 */
#ifndef MZ_RUNTIME_CORE_ELF_H
#define MZ_RUNTIME_CORE_ELF_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the dynamic section of a module; NULL if it has none. */
static inline const ElfW(Dyn) * mz_elf_dynamic(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	return NULL;
}

/* Returns the value of a tag in a dynamic section; 0 if the tag is not there. */
static inline uintptr_t mz_elf_number(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag)
{
	for (; dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == tag) return dynamic->d_un.d_val;
	return 0;
}

/* Returns the address of a tag, which is relative to `base` unless the loader has made it absolute; 0 if the tag is not
 * there. */
static inline uintptr_t mz_elf_pointer(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag, ElfW(Addr) base)
{
	uintptr_t pointer = mz_elf_number(dynamic, tag);
	return pointer && pointer < base ? base + pointer : pointer;
}

#endif
