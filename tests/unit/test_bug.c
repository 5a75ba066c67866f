/* SPDX-License-Identifier: MIT
 *
 * base/bug.h: what a process says that finds an invariant broken, whom it tells, and how it ends; and base/fd.h, where
 * descriptors of ours go.
 */
#include "base/bug.h"
#include "base/fd.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

/* Runs `action` in a process of its own: its exit status, and what it said on standard error. */
static int run_apart(void (*action)(void), char *said, size_t size)
{
	int ends[2], status;
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], 2);
		action();
		_exit(99);
	}
	close(ends[1]);
	size_t length = 0;
	for (ssize_t n; length < size - 1 && (n = read(ends[0], said + length, size - 1 - length)) > 0;)
		length += (size_t)n;
	said[length] = 0;
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void tell(const char *line)
{
	dprintf(2, "told: %s\n", line);
}

static void break_again(const char *line)
{
	(void)line;
	mz_bug("b.c", 2, "another");
}

static void bug_told(void)
{
	mz_bug_tell(tell);
	mz_bug("a.c", 7, "nothing holds");
}

static void bug_while_telling(void)
{
	mz_bug_tell(break_again);
	mz_bug("a.c", 7, "nothing holds");
}

static void holds(void)
{
	MZ_REQUIRE(1 + 1 == 2);
	_exit(3);
}

static void does_not_hold(void)
{
	MZ_REQUIRE(1 + 1 == 3);
}

#define LINE "internal error at a.c:7: nothing holds\n"

static void test_what_is_said(void **unused)
{
	(void)unused;
	char said[2048];
	assert_int_equal(run_apart(bug_told, said, sizeof said), MZ_BUG_STATUS);
	assert_string_equal(said, "mazurka: " LINE "told: " LINE "mazurka: " MZ_BUG_PLEASE "\n");
}

static void test_a_bug_while_telling_of_one_ends_it(void **unused)
{
	(void)unused;
	char said[2048];
	assert_int_equal(run_apart(bug_while_telling, said, sizeof said), MZ_BUG_STATUS);
	assert_string_equal(said, "mazurka: " LINE);
}

static void test_requirements(void **unused)
{
	(void)unused;
	char said[2048];
	assert_int_equal(run_apart(holds, said, sizeof said), 3);
	assert_string_equal(said, "");
	assert_int_equal(run_apart(does_not_hold, said, sizeof said), MZ_BUG_STATUS);
	assert_non_null(strstr(said, "test_bug.c:"));
	assert_non_null(strstr(said, ": 1 + 1 == 3\n"));
}

static jmp_buf way_out;
static char escaped[512];

static void escape(const char *line)
{
	snprintf(escaped, sizeof escaped, "%s", line);
	longjmp(way_out, 1);
}

static void test_a_way_out(void **unused)
{
	(void)unused;
	mz_bug_escape(escape);
	if (!setjmp(way_out)) mz_bug("a.c", 7, "for a host");
	mz_bug_escape(NULL);
	assert_string_equal(escaped, "internal error at a.c:7: for a host");
}

static void test_descriptors_out_of_the_way(void **unused)
{
	(void)unused;
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC), high = mz_fd_high(fd);
	assert_in_range(high, MZ_FD_HIGH, MZ_FD_HIGH + 100);
	assert_int_equal(fcntl(high, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	close(high);
	high = mz_fd_high(open("/dev/null", O_RDONLY));
	assert_int_equal(fcntl(high, F_GETFD) & FD_CLOEXEC, 0);
	close(high);
	assert_int_equal(mz_fd_high(-1), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_what_is_said),
	    cmocka_unit_test(test_a_bug_while_telling_of_one_ends_it),
	    cmocka_unit_test(test_requirements),
	    cmocka_unit_test(test_a_way_out),
	    cmocka_unit_test(test_descriptors_out_of_the_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
