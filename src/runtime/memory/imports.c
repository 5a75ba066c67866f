/* SPDX-License-Identifier: MIT */
#include "runtime/memory/imports.h"
#include "runtime/core/core.h"
#include "runtime/memory/image.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

/* ---- walking ---- */

/* The head of a table of hashes (DT_GNU_HASH); a bloom filter, the buckets and the chains follow. */
struct hashes {
	uint32_t nbuckets;
	uint32_t first; /* the symbols before this one are not hashed */
	uint32_t nfilters;
	uint32_t shift;
};

/* Returns the number of all symbols: the last one ends the chain of the bucket that begins last. Returns 0 if none is
 * hashed: then the table does not say how many there are. */
static size_t count_symbols(const struct hashes *hashes)
{
	const uint32_t *buckets = (const uint32_t *)((const uint64_t *)(hashes + 1) + hashes->nfilters);
	const uint32_t *chains = buckets + hashes->nbuckets;
	uint32_t last = 0;
	for (uint32_t n = 0; n < hashes->nbuckets; n++)
		if (buckets[n] > last) last = buckets[n];
	if (last < hashes->first) return 0;
	while (!(chains[last - hashes->first] & 1)) last++;
	return last + 1;
}

/* Returns the number of symbols that may be undefined: symbols that are not hashed come first, and undefined ones are
 * not hashed. But an executable at a fixed address has hashes for functions of others whose address it takes. */
static size_t undefined_symbols(const ElfW(Dyn) * dynamic, const struct dl_phdr_info *info)
{
	const struct hashes *hashes = (const struct hashes *)mz_elf_pointer(dynamic, DT_GNU_HASH, info->dlpi_addr);
	if (!hashes) return 0;
	if (*info->dlpi_name) return hashes->first;
	size_t count = count_symbols(hashes);
	if (count) return count;
	/* linkers put the names behind the symbols */
	uintptr_t symbols = mz_elf_pointer(dynamic, DT_SYMTAB, info->dlpi_addr);
	uintptr_t names = mz_elf_pointer(dynamic, DT_STRTAB, info->dlpi_addr);
	return names > symbols ? (names - symbols) / sizeof(ElfW(Sym)) : hashes->first;
}

struct walk {
	bool (*wanted)(const char *module, const char *symbol);
};

static bool any_in(const ElfW(Dyn) * dynamic, const struct dl_phdr_info *info, const struct walk *walk)
{
	const ElfW(Sym) *symbols = (const ElfW(Sym) *)mz_elf_pointer(dynamic, DT_SYMTAB, info->dlpi_addr);
	const char *names = (const char *)mz_elf_pointer(dynamic, DT_STRTAB, info->dlpi_addr);
	size_t count = undefined_symbols(dynamic, info);
	for (size_t i = 1; symbols && names && i < count; i++)
		if (symbols[i].st_shndx == SHN_UNDEF && walk->wanted(info->dlpi_name, names + symbols[i].st_name))
			return true;
	return false;
}

static int visit_module(struct dl_phdr_info *info, size_t size, void *walk)
{
	(void)size;
	if (strstr(info->dlpi_name, "linux-vdso")) return 0;
	const ElfW(Dyn) *dynamic = mz_elf_dynamic(info);
	return dynamic && any_in(dynamic, info, walk);
}

bool mz_imports_any(bool (*wanted)(const char *module, const char *symbol))
{
	struct walk walk = {wanted};
	return dl_iterate_phdr(visit_module, &walk) != 0;
}

static int visit_rolled_back(struct dl_phdr_info *info, size_t size, void *walk)
{
	return mz_image_rolls_back(info->dlpi_name) ? visit_module(info, size, walk) : 0;
}

bool mz_imports_any_rolled_back(bool (*wanted)(const char *module, const char *symbol))
{
	struct walk walk = {wanted};
	return dl_iterate_phdr(visit_rolled_back, &walk) != 0;
}

static bool is_instrumentation(const char *module, const char *symbol)
{
	(void)module;
	return symbol[0] == '_' &&
	       strncmp(symbol, "__tsan_", 7) == 0; /* compares the first character before it calls */
}

static int visit_instrumented(struct dl_phdr_info *info, size_t size, void *walk)
{
	const struct walk marks = {is_instrumentation};
	const ElfW(Dyn) *dynamic = mz_elf_dynamic(info);
	(void)size;
	return dynamic && any_in(dynamic, info, &marks) && any_in(dynamic, info, walk);
}

bool mz_imports_any_instrumented(bool (*wanted)(const char *module, const char *symbol))
{
	struct walk walk = {wanted};
	return dl_iterate_phdr(visit_instrumented, &walk) != 0;
}

/* ---- judging ---- */

/* Functions of the C library whose only state is errno or what the caller owns, or that only write to standard streams
 * (which nobody sees while exploring). Replaced functions do not get here. */
static const char stateless[] =
    " __cxa_finalize __errno_location __isoc99_sscanf __libc_start_main __longjmp_chk __sigsetjmp "
    "__stack_chk_fail __tls_get_addr __xpg_strerror_r _exit _longjmp _setjmp abs atof atoi atol atoll "
    "bsearch div environ fflush fprintf fputc fputs fwrite getcontext getenv getpagesize getpid labs ldiv "
    "llabs lldiv makecontext rand_r longjmp memccpy memmem memrchr perror printf putc putchar puts qsort qsort_r "
    "rawmemchr "
    "secure_getenv setbuf setcontext setjmp setvbuf sigaltstack siglongjmp snprintf sprintf sscanf stderr stdout "
    "stpcpy stpncpy strcasecmp "
    "strcat strchr strchrnul strcmp strcoll strcpy strcspn strerror_r strlen strncasecmp strncat strncmp "
    "strncpy strnlen strpbrk strrchr strsep strspn strstr strtod strtof strtok_r strtol strtold strtoll "
    "strtoul strtoull swapcontext sysconf tolower toupper vfprintf vprintf vsnprintf vsprintf ";

/* Prefixes of such functions; and those of the instrumentation, which is ours. */
static const char *const families[] = {
    "__tsan_",       "__ctype_",         "is",    "__printf_chk", "__fprintf_chk", "__snprintf_chk",     "__vsnprintf_",
    "__sprintf_chk", "__vfprintf_chk",   "__mem", "__str",        "pthread_attr_", "pthread_mutexattr_", "__stp",
    "_Unwind_",      "pthread_condattr_"};

/* In names of the C++ library: what reads files, time or randomness. */
static const char *const stateful[] = {"fstream", "filebuf", "istream", "filesystem", "_ZSt3cin", "_ZNSi", "getline"};

static bool is_among(const char *symbol, const char *words)
{
	char word[64];
	return snprintf(word, sizeof word, " %s ", symbol) < (int)sizeof word && strstr(words, word);
}

static bool is_stateless(const char *symbol)
{
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (strncmp(symbol, families[i], strlen(families[i])) == 0) return true;
	return is_among(symbol, stateless);
}

static bool is_cxx_stateful(const char *symbol)
{
	for (size_t i = 0; i < sizeof stateful / sizeof *stateful; i++)
		if (strstr(symbol, stateful[i])) return true;
	return false;
}

static bool is_cxx_library(const char *path)
{
	return strstr(path, "libstdc++") || strstr(path, "libc++");
}

/* The section of functions that are passed on, as the linker names its ends. */
extern const char __start_mz_passed_on[] __attribute__((visibility("hidden")));
extern const char __stop_mz_passed_on[] __attribute__((visibility("hidden")));

static bool is_passed_on(const void *function)
{
	return (const char *)function >= __start_mz_passed_on && (const char *)function < __stop_mz_passed_on;
}

/* Reports whether the function behind a symbol keeps state, judged by the module that provides it. A module that is
 * rolled back is judged by its own imports. The C++ library as a whole could do too much: it is judged by the functions
 * that are used of it. */
static bool keeps_state(const char *module, const char *symbol)
{
	Dl_info provider;
	if (is_cxx_library(module) || is_stateless(symbol)) return false;
	void *address = dlsym(RTLD_DEFAULT, symbol);
	if (!address || !dladdr(address, &provider)) return false;
	if ((uintptr_t)address - mz_image_own_start < mz_image_own_size) return is_passed_on(address);
	if (is_cxx_library(provider.dli_fname)) return is_cxx_stateful(symbol);
	if (strstr(provider.dli_fname, "libm.so") || strstr(provider.dli_fname, "libgcc_s")) return false;
	return !mz_image_owns_code((uintptr_t)address);
}

bool mz_imports_are_stateless(void)
{
	return !mz_imports_any_rolled_back(keeps_state);
}
