/* SPDX-License-Identifier: MIT
 *
 * Words that the loader fills in are of three kinds. Those that depend on where the library is, and addresses of
 * variables and functions, are computed again. Of all others (entries of tables that only the loader writes to) what is
 * there now is kept.
 */
#include "runtime/memory/fresh.h"
#include "base/alloc.h"
#include "runtime/core/core.h"
#include "runtime/memory/image.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Words to be filled in. */
struct words {
	struct word {
		uint64_t *where;
		uint64_t value;
	} * at;
	size_t count, capacity;
};

struct fresh_library {
	const struct dl_phdr_info *info;
	const ElfW(Dyn) * dynamic;
	void *handle;
};

static void add_word(struct words *words, uint64_t *where, uint64_t value)
{
	mz_array_require(&words->at, &words->capacity, words->count + 1);
	words->at[words->count++] = (struct word){where, value};
}

static uintptr_t table(const struct fresh_library *library, ElfW(Sxword) tag)
{
	return mz_elf_pointer(library->dynamic, tag, library->info->dlpi_addr);
}

/* Looks up a symbol as the loader does: first in the global scope, then in the library and those loaded with it. */
static uint64_t address_of(const struct fresh_library *library, size_t number)
{
	const ElfW(Sym) *symbol = (const ElfW(Sym) *)table(library, DT_SYMTAB) + number;
	const char *name = (const char *)table(library, DT_STRTAB) + symbol->st_name;
	void *found = NULL;
	if (ELF64_ST_BIND(symbol->st_info) != STB_LOCAL) {
		found = dlsym(RTLD_DEFAULT, name);
		if (!found) found = dlsym(library->handle, name);
	}
	if (found) return (uint64_t)found;
	return symbol->st_shndx == SHN_UNDEF ? 0 : library->info->dlpi_addr + symbol->st_value;
}

static void add_relocation(const struct fresh_library *library, const ElfW(Rela) * relocation, struct words *words)
{
	uint64_t *where = (uint64_t *)(library->info->dlpi_addr + relocation->r_offset);
	uint64_t addend = (uint64_t)relocation->r_addend;
	switch (ELF64_R_TYPE(relocation->r_info)) {
	case R_X86_64_NONE: break;
	case R_X86_64_RELATIVE: add_word(words, where, library->info->dlpi_addr + addend); break;
	case R_X86_64_64: add_word(words, where, address_of(library, ELF64_R_SYM(relocation->r_info)) + addend); break;
	case R_X86_64_TLSDESC: /* two words */
		add_word(words, where, where[0]);
		add_word(words, where + 1, where[1]);
		break;
	default: add_word(words, where, *where);
	}
}

static void add_relocations(const struct fresh_library *library, ElfW(Sxword) tag, ElfW(Sxword) size_tag,
                            struct words *words)
{
	const ElfW(Rela) *first = (const ElfW(Rela) *)table(library, tag);
	size_t count = first ? mz_elf_number(library->dynamic, size_tag) / sizeof *first : 0;
	for (size_t i = 0; i < count; i++) add_relocation(library, &first[i], words);
}

/* Applies packed relocations: an address, then bits for the words behind it. What is in the file is relative to the
 * library. */
static void move_packed(const struct fresh_library *library, const uint8_t *low, const uint8_t *high)
{
	const uint64_t *entry = (const uint64_t *)table(library, DT_RELR);
	size_t count = entry ? mz_elf_number(library->dynamic, DT_RELRSZ) / sizeof *entry : 0;
	uint64_t *where = NULL;
	for (; count; count--, entry++) {
		uint64_t bits = *entry & 1 ? *entry >> 1 : 1;
		if (!(*entry & 1)) where = (uint64_t *)(library->info->dlpi_addr + *entry);
		for (size_t i = 0; bits >> i; i++)
			if ((bits >> i & 1) && (uint8_t *)&where[i] >= low && (uint8_t *)&where[i] < high)
				where[i] += library->info->dlpi_addr;
		where += *entry & 1 ? 63 : 1;
	}
}

static bool read_segment(const struct fresh_library *library, const ElfW(Phdr) * header, int file, uint8_t *low,
                         uint8_t *high)
{
	uint8_t *start = (uint8_t *)library->info->dlpi_addr + header->p_vaddr, *end = start + header->p_filesz;
	MZ_REAL(memset)(low, 0, (size_t)(high - low));
	for (uint8_t *at = low; at < end;) {
		ssize_t n =
		    MZ_REAL(pread)(file, at, (size_t)(end - at), (off_t)(header->p_offset + (size_t)(at - start)));
		if (n <= 0) return false;
		at += n;
	}
	return true;
}

static bool renew(const struct fresh_library *library, const struct words *words, int file)
{
	for (int i = 0; i < library->info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &library->info->dlpi_phdr[i];
		uint8_t *low, *high;
		if (!mz_image_data(library->info, header, &low, &high)) continue;
		if (!read_segment(library, header, file, low, high)) return false;
		move_packed(library, low, high);
		for (size_t n = 0; n < words->count; n++) {
			uint8_t *where = (uint8_t *)words->at[n].where;
			if (where >= low && where < high) *words->at[n].where = words->at[n].value;
		}
	}
	return true;
}

bool mz_fresh_make(const struct dl_phdr_info *info, void *handle)
{
	struct fresh_library library = {info, mz_elf_dynamic(info), handle};
	struct words words = {0};
	int file = library.dynamic ? MZ_REAL(open)(info->dlpi_name, O_RDONLY | O_CLOEXEC) : -1;
	if (file < 0) return false;
	add_relocations(&library, DT_RELA, DT_RELASZ, &words);
	add_relocations(&library, DT_JMPREL, DT_PLTRELSZ, &words);
	bool made = renew(&library, &words, file);
	MZ_REAL(close)(file);
	mz_free(words.at);
	return made;
}
