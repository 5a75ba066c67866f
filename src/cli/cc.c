/* SPDX-License-Identifier: MIT
 *
 * The user's arguments are passed on as they are (response files included), with ours before them, so that the user's
 * have the last word; the few that must win come last. What ours do:
 *
 *  - the compiler's -fsanitize=thread pass puts a call before every access to memory and in place of every atomic
 *    operation. The functions called are in libmazurka.so; the compiler's own runtime library is not linked. gcc links
 *    it whenever it sees the option: -B shows it a folder where that library is empty. clang is given the option past
 *    its driver, which then does not know of it.
 *  - the functions on memory and strings that libmazurka.so watches are called, not expanded in place.
 *  - assembly goes through an assembler of ours, which inserts such calls too (as.c); it is found by the same -B.
 *  - what is linked carries a note (base/note.h) and finds libmazurka.so, which comes first among its libraries.
 */
#include "cli/cc.h"
#include "cli/as.h"
#include "cli/cc_compiler.h"
#include "cli/cc_scan.h"
#include "cli/cc_symbolic.h"
#include "cli/paths.h"
#include "cli/response.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGE_SIZE (2 * PATH_MAX)

static const char *const watched_functions[] = {
    "-fno-builtin-memcpy",  "-fno-builtin-memmove",    "-fno-builtin-memset",
    "-fno-builtin-memcmp",  "-fno-builtin-memchr",     "-fno-builtin-mempcpy",
    "-fno-builtin-bcmp",    "-fno-builtin-bcopy",      "-fno-builtin-bzero",
    "-fno-builtin-strlen",  "-fno-builtin-strnlen",    "-fno-builtin-strcpy",
    "-fno-builtin-strncpy", "-fno-builtin-stpcpy",     "-fno-builtin-stpncpy",
    "-fno-builtin-strcat",  "-fno-builtin-strncat",    "-fno-builtin-strcmp",
    "-fno-builtin-strncmp", "-fno-builtin-strcasecmp", "-fno-builtin-strncasecmp",
    "-fno-builtin-strchr",  "-fno-builtin-strrchr",    "-fno-builtin-strstr",
    "-fno-builtin-strpbrk", "-fno-builtin-strspn",     "-fno-builtin-strcspn",
    "-fno-builtin-strdup",  "-fno-builtin-strndup",    NULL};

/* -Wno-tsan: gcc warns that fences are not supported, which is true of its own library only. */
static const char *const gcc_instrument[] = {"-fsanitize=thread", "--param", "tsan-distinguish-volatile=1", "-Wno-tsan",
                                             NULL};

const char *const mz_cc_clang_instrument[] = {"-Xclang", "-fsanitize=thread",
                                              "-mllvm",  "-tsan-instrument-read-before-write=1",
                                              "-mllvm",  "-tsan-distinguish-volatile=1",
                                              NULL};

static int refuse(bool cxx, const char *what)
{
	fprintf(stderr, "mazurka %s: %s\n", cxx ? "c++" : "cc", what);
	return 2;
}

/* Returns the reason why the request cannot be built for exploration, or NULL. */
static const char *objection(const struct mz_cc_request *request, char *text, size_t size)
{
	if (request->conflict[0]) {
		snprintf(text, size, "-fsanitize=%s cannot be combined with exploration: leave it out",
		         request->conflict);
		return text;
	}
	if (request->is_short && !request->query) return "only 64-bit programs can be explored; leave -m32 out";
	if (request->links && request->is_static)
		return "-static cannot work: exploration needs libmazurka.so; leave -static out";
	return NULL;
}

static void add_to_linker(struct mz_args *out, const char *item)
{
	mz_args_add(out, "-Xlinker");
	mz_args_add(out, item);
}

static void add_link(struct mz_args *out, const struct mz_install_paths *paths)
{
	mz_args_add(out, "-Xlinker");
	mz_args_format(out, "%s/note.o", paths->data);
	add_to_linker(out, "--push-state");
	add_to_linker(out, "--no-as-needed");
	add_to_linker(out, paths->library);
	add_to_linker(out, "--pop-state");
	add_to_linker(out, "-rpath");
	add_to_linker(out, paths->library_dir);
	add_to_linker(out, "-z");
	add_to_linker(out, "now");
}

/* Functions of the C library that instrumented objects call are linked if such objects are there. */
static void add_link_end(struct mz_args *out, const struct mz_install_paths *paths)
{
	if (access(paths->models, R_OK) == 0) add_to_linker(out, paths->models);
}

static void add_compile(struct mz_args *out, const struct mz_install_paths *paths, const struct mz_cc_request *request,
                        bool clang)
{
	if (!request->debug_chosen) mz_args_add(out, "-g"); /* for the source lines in reports */
	if (!request->thread_off) mz_args_add_all(out, clang ? mz_cc_clang_instrument : gcc_instrument);
	if (clang) {
		mz_args_add(out, "-Qunused-arguments");
		mz_args_add(out, "-fno-integrated-as");
	}
	mz_args_format(out, "-B%s/gcc", paths->data);
	if (request->by_hand) setenv(MZ_AS_BY_HAND, "1", 1);
	mz_args_add_all(out, watched_functions);
	mz_args_add(out, "-D__MAZURKA__=1");
	mz_args_add(out, "-idirafter");
	mz_args_add(out, paths->include);
	mz_args_format(out, "-L%s", paths->library_dir);
}

/* Adds options that have to come after the user's. Fortified variants of memcpy and other functions would bypass
 * libmazurka.so; and clang's driver must not link its own runtime. */
static void add_last_words(struct mz_args *out, const struct mz_cc_request *request, bool clang)
{
	mz_args_add(out, "-U_FORTIFY_SOURCE");
	mz_args_add(out, "-Wp,-U_FORTIFY_SOURCE"); /* needed too: the user's -Wp,-D... comes after every plain -U */
	if (clang && request->thread_given) mz_args_add(out, "-fno-sanitize=thread");
}

static int run(struct mz_args *command, bool cxx)
{
	char message[MESSAGE_SIZE];
	if (command->failed) return refuse(cxx, "out of memory");
	execvp(command->items[0], command->items);
	if (errno == ENOENT)
		mz_compiler_describe_missing(command->items[0], cxx, message, sizeof message);
	else
		snprintf(message, sizeof message, "cannot run %s: %s", command->items[0], strerror(errno));
	return refuse(cxx, message);
}

int mz_cc_main(int argc, char **argv, bool cxx)
{
	struct mz_args expanded = {0};
	struct mz_cc_request request;
	struct mz_compiler compiler;
	struct mz_install_paths paths;
	char message[MESSAGE_SIZE];

	mz_response_expand(&expanded, argc - 1, argv + 1);
	if (expanded.failed) return refuse(cxx, "out of memory");
	mz_cc_scan(&request, &expanded);
	const char *reason = objection(&request, message, sizeof message);
	if (reason) return refuse(cxx, reason);
	if (mz_compiler_find(&compiler, cxx, request.symbolic, message, sizeof message) < 0)
		return refuse(cxx, message);
	struct mz_args *command = &compiler.command, plain = {0};
	if (!request.query) {
		if (mz_install_paths(&paths, message, sizeof message) < 0) return refuse(cxx, message);
		mz_args_add_all(&plain, (const char *const *)command->items);
		add_compile(command, &paths, &request, compiler.clang);
		if (request.links) add_link(command, &paths);
	}
	if (request.symbolic && !request.query) {
		reason = mz_cc_symbolic_objection(&request, &compiler, &paths);
		if (reason) return refuse(cxx, reason);
		mz_cc_add_symbolic(command, &request, &paths, &plain, &expanded);
	}
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], MZ_CC_SYMBOLIC) != 0) mz_args_add(command, argv[i]);
	if (!request.query) add_last_words(command, &request, compiler.clang);
	if (request.links) add_link_end(command, &paths);
	return run(command, cxx);
}
