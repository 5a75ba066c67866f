/* SPDX-License-Identifier: MIT
 *
 * One call of the compiler becomes three steps for each source: clang makes bitcode, without optimising it; the
 * instrumenter adds shadows; clang compiles that, with the user's options for code, and adds the hooks of the
 * scheduler. The first call is the user's own, with options past the driver: it writes bitcode where it says it writes
 * assembly. The assembler that `mazurka cc` puts before the real one (as_symbolic.c) does the other two.
 *
 * Macros that would look characters up in a table (ctype.h) become calls, and std::string is compiled with the program
 * (data/symbolic).
 */
#include "cli/cc_symbolic.h"
#include "base/alloc.h"
#include "cli/as.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const to_bitcode[] = {"-Xclang", "-emit-llvm-bc",       "-Xclang",  "-disable-llvm-passes",
                                         "-Xclang", "-disable-O0-optnone", "-fno-lto", "-D__NO_CTYPE",
                                         NULL};

const char *mz_cc_symbolic_objection(const struct mz_cc_request *request, const struct mz_compiler *compiler,
                                     const struct mz_install_paths *paths)
{
	if (access(paths->instrumenter, X_OK) != 0 || access(paths->models, R_OK) != 0)
		return "--symbolic is not in this build of Mazurka: install clang-14 and llvm-14-dev and build it "
		       "again";
	if (!compiler->clang) return "--symbolic needs clang 14: set MAZURKA_CC=clang-14, or leave MAZURKA_CC out";
	if (request->assembly) return "--symbolic makes objects, not assembly: use -c in place of -S";
	if (request->preprocessed && request->sources)
		return "--symbolic cannot compile assembly and other sources in one command: use one for each";
	return NULL;
}

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Reports whether the option says how code is made of bitcode. Sanitizers have done their part by then. */
static bool is_about_code(const char *option)
{
	if (starts_with(option, "-fsanitize") || starts_with(option, "-fno-sanitize")) return false;
	if (starts_with(option, "-flto") || strcmp(option, "-fsyntax-only") == 0) return false;
	return starts_with(option, "-O") || starts_with(option, "-f") || starts_with(option, "-m");
}

static void add_code_options(struct mz_args *out, const struct mz_args *user)
{
	for (size_t i = 0; i < user->count; i++) {
		bool operand = strcmp(user->items[i], "-mllvm") == 0 || strcmp(user->items[i], "-target") == 0;
		if (!operand && !is_about_code(user->items[i])) continue;
		mz_args_add(out, user->items[i]);
		if (operand && i + 1 < user->count) mz_args_add(out, user->items[++i]);
	}
}

/* Puts the items into one environment variable, one on each line. */
static bool put_environment(const struct mz_args *items)
{
	size_t size = 1;
	for (size_t i = 0; i < items->count; i++) size += strlen(items->items[i]) + 1;
	char *text = mz_alloc(size), *end = text;
	if (!text) return false;
	*text = '\0';
	for (size_t i = 0; i < items->count; i++) end = stpcpy(stpcpy(end, i ? "\n" : ""), items->items[i]);
	int status = setenv(MZ_AS_SYMBOLIC, text, 1);
	mz_free(text);
	return status == 0;
}

void mz_cc_add_symbolic(struct mz_args *command, const struct mz_cc_request *request,
                        const struct mz_install_paths *paths, const struct mz_args *plain, const struct mz_args *user)
{
	struct mz_args later = {0};
	if (!request->sources || request->no_code) return;
	mz_args_add(&later, paths->instrumenter);
	for (size_t i = 0; i < plain->count; i++) mz_args_add(&later, plain->items[i]);
	if (!request->thread_off) mz_args_add_all(&later, mz_cc_clang_instrument);
	mz_args_add_all(&later, (const char *const[]){"-Qunused-arguments", "-fno-integrated-as", NULL});
	mz_args_format(&later, "-B%s/gcc", paths->data);
	add_code_options(&later, user);
	mz_args_add_all(command, to_bitcode);
	mz_args_format(command, "-isystem%s/symbolic", paths->data);
	if (later.failed || !put_environment(&later)) command->failed = true;
	mz_args_release(&later);
}
