/* SPDX-License-Identifier: MIT */
#include "runtime/memory/library.h"
#include "runtime/core/core.h"
#include "runtime/memory/imports.h"
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert(sizeof(union mz_library_page) == 4096, "a page");

union mz_library_page mz_library_page __attribute__((aligned(4096)));

/* ---- variables of the C library ---- */

/* The variables of the C library that are restored, each with the functions whose use, besides that of its name, makes
 * that necessary. */
static const struct variable {
	const char *name;
	size_t size;
	const char *functions;
} variables[] = {
    {"optind", 4, " getopt getopt_long getopt_long_only __posix_getopt "},
    {"optopt", 4, " getopt getopt_long getopt_long_only __posix_getopt "},
    {"opterr", 4, " getopt getopt_long getopt_long_only __posix_getopt "},
    {"optarg", 8, " getopt getopt_long getopt_long_only __posix_getopt "},
    {"environ", 8, " __environ _environ setenv putenv unsetenv clearenv "},
    {"stdin", 8, ""},
    {"stdout", 8, ""},
    {"stderr", 8, ""},
    {"program_invocation_name", 8, " __progname_full "},
    {"program_invocation_short_name", 8, " __progname "},
    {"error_print_progname", 8, ""},
    {"error_message_count", 4, " error error_at_line "},
    {"error_one_per_line", 4, ""},
    {"obstack_alloc_failed_handler", 8, ""},
    {"obstack_exit_failure", 4, ""},
    {"argp_program_version", 8, ""},
    {"argp_program_version_hook", 8, ""},
    {"argp_program_bug_address", 8, ""},
    {"argp_err_exit_status", 4, ""},
    {"getdate_err", 4, " getdate "},
    {"re_syntax_options", 8, " re_set_syntax "},
};
#define VARIABLES (sizeof variables / sizeof *variables)

static bool is_imported[VARIABLES];

static bool note_import(const char *module, const char *symbol)
{
	char word[64];
	(void)module;
	if (strlen(symbol) > sizeof word - 3) return false;
	word[0] = ' ';
	strcpy(word + 1, symbol);
	strcat(word, " ");
	for (size_t i = 0; i < VARIABLES; i++)
		is_imported[i] |= strcmp(symbol, variables[i].name) == 0 || strstr(variables[i].functions, word);
	return false;
}

static void add_variables(void)
{
	mz_imports_any_rolled_back(note_import);
	for (size_t i = 0; i < VARIABLES; i++) {
		char *address = is_imported[i] ? dlsym(RTLD_DEFAULT, variables[i].name) : NULL;
		if (address &&
		    !mz_image_owns_code((uintptr_t)address)) /* a copy is where the program's variables are */
			mz_image_add(address, address + variables[i].size);
	}
}

/* ---- saving ---- */

void mz_library_save(void)
{
	mz_image_add_apart(&mz_library_page, &mz_library_page + 1);
	add_variables();
}

void mz_library_roots(void (*look_through)(const void *from, const void *to))
{
	look_through(&mz_library, &mz_library + 1);
}

/* ---- what the process was started with ---- */

static size_t count(char *const *texts)
{
	size_t n = 0;
	while (texts && texts[n]) n++;
	return n;
}

static size_t room_for(char *const *texts)
{
	size_t size = (count(texts) + 1) * sizeof *texts;
	for (; texts && *texts; texts++) size += strlen(*texts) + 1;
	return size;
}

/* Copies texts to *ROOM, and pointers to the copies to `pointers`. Returns the pointers. */
static char **copy_texts(char *const *texts, char **pointers, char **room)
{
	size_t n = count(texts);
	for (size_t i = 0; i < n; i++) {
		pointers[i] = *room;
		*room = stpcpy(*room, texts[i]) + 1;
	}
	pointers[n] = NULL;
	return pointers;
}

void mz_library_adopt(int argc, char ***argv, char ***environment)
{
	size_t pages = (room_for(*argv) + room_for(environ) + 4095) & ~4095UL;
	char *start = mmap((void *)MZ_LAYOUT_ARGUMENTS, pages, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (start != (char *)MZ_LAYOUT_ARGUMENTS) mz_unsupported("no room for its arguments");
	char **pointers = (char **)start, *room = (char *)(pointers + argc + 1 + count(environ) + 1);
	*argv = copy_texts(*argv, pointers, &room);
	if (environ) *environment = environ = copy_texts(environ, pointers + argc + 1, &room);
	mz_image_add_apart(start, start + pages);
}
