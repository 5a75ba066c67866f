/* SPDX-License-Identifier: MIT
 *
 * What gcc and clang find under the name `as` when `mazurka cc` calls them: the assembler of the system, with what
 * as_follow.c adds to its input. Where there is nothing to add, which is nearly always, the input stays as it is.
 *
 * For `mazurka cc --symbolic` the compiler hands over bitcode, and as_symbolic.c makes the object of it.
 *
 * The compiler's output is known by its marks. A file that was written by hand is one without them, in a command that
 * has such files (MZ_AS_BY_HAND in the environment).
 */
#include "cli/as.h"
#include "base/alloc.h"
#include "cli/as_follow.h"
#include "cli/as_symbolic.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Options whose operand is the next argument. */
static const char *const with_operand[] = {"-o", "-I", "-MD", "--MD", "--defsym", "--debug-prefix-map",
                                           "-G", "-J", NULL};

static int fail(const char *what)
{
	fprintf(stderr, "mazurka as: %s: %s\n", what, strerror(errno));
	return 1;
}

static bool takes_operand(const char *option)
{
	for (const char *const *each = with_operand; *each; each++)
		if (strcmp(*each, option) == 0) return true;
	return false;
}

/* Returns the index of the argument that is the only input. Returns 0 if there is none, which means standard input, and
 * -1 if there are several or the user asks for the version or help. */
static int find_input(int argc, char **argv)
{
	int found = 0;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--version") == 0 || strcmp(argv[i], "--help") == 0 || argv[i][0] == '@') return -1;
		if (takes_operand(argv[i])) {
			i++;
		} else if (argv[i][0] != '-' || strcmp(argv[i], "--") == 0 || strcmp(argv[i], "-") == 0) {
			if (found) return -1;
			found = i;
		}
	}
	return found;
}

static bool is_standard_input(const char *name)
{
	return name[0] == '-';
}

static int read_all(int fd, struct mz_buffer *text)
{
	char part[65536];
	for (;;) {
		ssize_t n = read(fd, part, sizeof part);
		if (n < 0 && errno == EINTR) continue;
		if (n <= 0) return (int)n;
		mz_buffer_add_bytes(text, part, (size_t)n);
	}
}

static int read_input(const char *name, struct mz_buffer *text)
{
	if (is_standard_input(name)) return read_all(0, text);
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0) return -1;
	int status = read_all(fd, text);
	close(fd);
	return status;
}

static bool contains(const struct mz_buffer *text, const char *words)
{
	return text->length && memmem(text->text, text->length, words, strlen(words)) != NULL;
}

static bool is_by_hand(const struct mz_buffer *text)
{
	static const char *const marks[] = {"\t.ident\t\"", "#APP", "__tsan_", ".gnu.lto_", "\t.addrsig"};
	if (!getenv(MZ_AS_BY_HAND)) return false;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (contains(text, marks[i])) return false;
	return true;
}

/* Puts the text into a file without a name, which the assembler inherits. Returns its descriptor, or -1. */
static int put(const char *text, size_t length)
{
	int fd = memfd_create("mazurka-as", 0);
	for (size_t done = 0; fd >= 0 && done < length;) {
		ssize_t n = write(fd, text + done, length - done);
		if (n < 0 && errno != EINTR) return -1;
		if (n > 0) done += (size_t)n;
	}
	return fd >= 0 && lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
}

/* Runs the assembler that the compiler would have run: the first `as` in PATH that is not this program. Returns only if
 * there is none. */
static void run_next(char **argv)
{
	const char *folders = getenv("PATH");
	struct stat own, other;
	char path[PATH_MAX];
	bool known = stat("/proc/self/exe", &own) == 0;
	for (const char *at = folders ? folders : "/usr/bin:/bin"; *at;) {
		size_t length = strcspn(at, ":");
		int n = snprintf(path, sizeof path, "%.*s/as", (int)length, at);
		at += length + (at[length] == ':');
		if (n <= 0 || n >= (int)sizeof path || stat(path, &other) != 0) continue;
		if (known && own.st_dev == other.st_dev && own.st_ino == other.st_ino) continue;
		argv[0] = path;
		execv(path, argv);
	}
	errno = ENOENT;
}

/* Removes the first n bytes. */
static void drop(struct mz_buffer *text, size_t n)
{
	if (n) memmove(text->text, text->text + n, text->length - n);
	text->length -= n;
}

/* Makes the input argument name a file with the text that has calls inserted, unless the input can be passed on as it
 * is. Returns 0, or -1. */
static int prepare(char **argv, int input, char name[64])
{
	struct mz_buffer text = {0}, followed = {0};
	if (!is_standard_input(argv[input])) mz_buffer_add(&text, "# 1 \"%s\"\n", argv[input]);
	size_t head = text.length;
	if (read_input(argv[input], &text) != 0 || text.failed) return is_standard_input(argv[input]) ? -1 : 0;
	if (mz_as_is_bitcode(text.text + head, text.length - head)) exit(mz_as_compile(argv, argv[input]));
	bool by_hand = is_by_hand(&text), changed = false;
	if (!by_hand) drop(&text, head);
	if (by_hand || contains(&text, "#APP")) changed = mz_as_follow(&followed, text.text, text.length, by_hand);
	const struct mz_buffer *result = changed ? &followed : &text;
	if (!changed && !is_standard_input(argv[input])) return 0;
	int fd = result->failed ? -1 : put(result->text, result->length);
	if (fd < 0) return -1;
	snprintf(name, 64, "/proc/self/fd/%d", fd);
	argv[input] = name;
	return 0;
}

int main(int argc, char **argv)
{
	char name[64];
	char **arguments = mz_alloc(((size_t)argc + 2) * sizeof *arguments);
	if (!arguments) return fail("no memory");
	memcpy(arguments, argv, ((size_t)argc + 1) * sizeof *arguments);
	int input = find_input(argc, argv);
	if (input == 0) {
		input = argc;
		arguments[argc] = "-";
		arguments[argc + 1] = NULL;
	}
	if (input > 0 && prepare(arguments, input, name) != 0) return fail("cannot read the input");
	run_next(arguments);
	return fail("the assembler `as` was not found in PATH");
}
