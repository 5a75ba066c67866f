/* SPDX-License-Identifier: MIT
 *
 * A name with "clang", "gcc" or "g++" in it says which it is; any other (cc, a wrapper) is asked with --version. The
 * C++ compiler that belongs to a C compiler differs in that part of the name: clang-14 and clang++-14, gcc and g++.
 */
#include "cli/cc_compiler.h"
#include "base/alloc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Adds the words of `text`. They are in a copy that is never freed. */
static void split(struct mz_args *words, const char *text)
{
	char *copy = mz_alloc(strlen(text) + 1), *rest = copy;
	if (!copy) {
		words->failed = true;
		return;
	}
	strcpy(copy, text);
	for (char *word; (word = strsep(&rest, " \t"));)
		if (*word) mz_args_add(words, word);
}

/* Returns `path` with the first `from` in its file name replaced by `to`, or NULL if it has none. */
static char *renamed(const char *path, const char *from, const char *to)
{
	const char *at = strstr(base_name(path), from);
	char *name = at ? mz_alloc(strlen(path) + strlen(to) + 1) : NULL;
	if (name) sprintf(name, "%.*s%s%s", (int)(at - path), path, to, at + strlen(from));
	return name;
}

/* Returns the name of the C++ compiler that belongs to a C compiler. */
static char *cxx_of(const char *cc)
{
	if (strstr(base_name(cc), "++")) return (char *)cc;
	static const char *const pairs[][2] = {{"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}, {"c99", "c++"}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		char *name = renamed(cc, pairs[i][0], pairs[i][1]);
		if (name) return name;
	}
	return (char *)cc;
}

/* Tells from the words of the command which compiler it runs. Returns 1 for clang, 0 for gcc, -1 if no word tells. */
static int clang_by_name(const struct mz_args *command)
{
	for (size_t i = command->count; i > 0; i--) {
		const char *name = base_name(command->items[i - 1]);
		if (command->items[i - 1][0] == '-') continue;
		if (strstr(name, "clang")) return 1;
		if (strstr(name, "gcc") || strstr(name, "g++")) return 0;
	}
	return -1;
}

static void ask_version(struct mz_args *command, int out)
{
	mz_args_add(command, "--version");
	dup2(out, 1);
	if (!command->failed) execvp(command->items[0], command->items);
	_exit(127);
}

/* Asks the compiler for its version. Returns 1 if it says that it is clang, 0 if not, -1 if it cannot be run. */
static int clang_by_asking(struct mz_args *command)
{
	int ends[2], status = 0;
	if (pipe(ends) < 0) return -1;
	pid_t child = fork();
	if (child == 0) ask_version(command, ends[1]);
	close(ends[1]);
	char text[4096] = "";
	size_t size = 0;
	for (ssize_t n; size < sizeof text - 1 && (n = read(ends[0], text + size, sizeof text - 1 - size)) > 0;)
		size += (size_t)n;
	text[size] = '\0';
	close(ends[0]);
	if (child < 0 || waitpid(child, &status, 0) < 0) return -1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return -1;
	return strstr(text, "clang") != NULL;
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value && value[strspn(value, " \t")] ? value : NULL;
}

static const char *default_compiler(bool cxx, bool symbolic)
{
	if (symbolic) return cxx ? "clang++-14" : "clang-14";
	return cxx ? "g++" : "gcc";
}

static void choose_command(struct mz_args *command, bool cxx, bool symbolic)
{
	const char *cc = variable("MAZURKA_CC"), *own = cxx ? variable("MAZURKA_CXX") : cc;
	split(command, own ? own : cc ? cc : default_compiler(cxx, symbolic));
	if (cxx && !own && command->count > 0)
		command->items[command->count - 1] = cxx_of(command->items[command->count - 1]);
}

void mz_compiler_describe_missing(const char *name, bool cxx, char *error, size_t size)
{
	snprintf(error, size, "the compiler %s was not found; install it, or name another in MAZURKA_%s", name,
	         cxx ? "CXX" : "CC");
}

int mz_compiler_find(struct mz_compiler *compiler, bool cxx, bool symbolic, char *error, size_t size)
{
	struct mz_args *command = &compiler->command;
	*compiler = (struct mz_compiler){0};
	choose_command(command, cxx, symbolic);
	if (command->failed) {
		snprintf(error, size, "out of memory");
		return -1;
	}
	const char *name = command->items[0];
	if (strncmp(base_name(name), "mazurka", strlen("mazurka")) == 0) {
		snprintf(error, size, "%s names Mazurka itself (%s); it is meant to name the compiler behind it",
		         cxx && variable("MAZURKA_CXX") ? "MAZURKA_CXX" : "MAZURKA_CC", name);
		return -1;
	}
	int clang = clang_by_name(command);
	if (clang < 0) clang = clang_by_asking(command);
	if (clang < 0) {
		mz_compiler_describe_missing(name, cxx, error, size);
		return -1;
	}
	compiler->clang = clang;
	return 0;
}
