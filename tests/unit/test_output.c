/* SPDX-License-Identifier: MIT
 *
 * Files that a run leaves behind (campaign/output.c): who may read them, from the moment at which they are created.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "campaign/output.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned created; /* how many files were */
static mode_t mode;      /* of the last one, when it was created */

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);

int __wrap_open64(const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	int fd = __real_open64(path, flags, flags & O_CREAT ? va_arg(arguments, mode_t) : 0);
	va_end(arguments);
	struct stat status;
	if (fd < 0 || !(flags & O_CREAT)) return fd;
	assert_int_equal(fstat(fd, &status), 0);
	mode = status.st_mode & 0777;
	created++;
	return fd;
}

static char folder[] = "/tmp/mazurka-output-XXXXXX";

static int enter_folder(void **state)
{
	(void)state;
	umask(022);
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	(void)state;
	return chdir("/") == 0 ? rmdir(folder) : -1;
}

static mode_t mode_of(const char *path)
{
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	return status.st_mode & 0777;
}

static void assert_content(const char *path, const char *content)
{
	char text[100] = "";
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	assert_int_equal(fread(text, 1, sizeof text - 1, in), strlen(content));
	fclose(in);
	assert_string_equal(text, content);
}

static void write_file(const char *path, mode_t its_mode, const char *content)
{
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs(content, out);
	fclose(out);
	assert_int_equal(chmod(path, its_mode), 0);
}

/* Writes "new" by `open_it`, which has to create the file with the mode `first`, and to leave it with the mode `last`. */
static void check(int (*open_it)(struct mz_output *, const char *), mode_t first, mode_t last)
{
	struct mz_output output;
	created = 0;
	assert_int_equal(open_it(&output, "file"), 0);
	assert_int_equal(created, 1);
	assert_int_equal(mode, first);
	assert_int_equal(mode_of(output.aside), last);
	fputs("new", output.out);
	assert_int_equal(mz_output_close(&output, true), 0);
	assert_int_equal(mode_of("file"), last);
	assert_content("file", "new");
	assert_int_equal(access(output.aside, F_OK), -1);
}

static void test_new_file(void **state)
{
	(void)state;
	check(mz_output_open, 0644, 0644);
	assert_int_equal(unlink("file"), 0);
}

/* A file that takes the place of another one is not open to more people meanwhile. */
static void test_replaced_file(void **state)
{
	(void)state;
	write_file("file", 0600, "old");
	check(mz_output_open, 0600, 0600);
	assert_int_equal(chmod("file", 0664), 0);
	check(mz_output_open, 0600, 0664);
	assert_int_equal(unlink("file"), 0);
}

static void test_private_file(void **state)
{
	(void)state;
	check(mz_output_open_private, 0600, 0600);
	assert_int_equal(chmod("file", 0666), 0);
	check(mz_output_open_private, 0600, 0600);
	umask(0777);
	check(mz_output_open_private, 0, 0600);
	umask(0);
	check(mz_output_open_private, 0600, 0600);
	umask(022);
	assert_int_equal(unlink("file"), 0);
}

/* What somebody else has put where the file is written is neither followed nor written to. */
static void test_name_is_taken(void **state)
{
	(void)state;
	struct mz_output output;
	char name[100];
	snprintf(name, sizeof name, "file.%ld", (long)getpid());
	write_file("other", 0666, "other");
	assert_int_equal(symlink("other", name), 0);
	check(mz_output_open_private, 0600, 0600);
	write_file(name, 0666, "left behind");
	check(mz_output_open_private, 0600, 0600);
	/* a folder cannot be removed like a file: another name is found */
	assert_int_equal(mkdir(name, 0777), 0);
	check(mz_output_open_private, 0600, 0600);
	assert_int_equal(mz_output_open(&output, "file"), 0);
	assert_int_equal(mz_output_close(&output, false), -1);
	assert_content("file", "new");
	assert_content("other", "other");
	assert_int_equal(rmdir(name) | unlink("other") | unlink("file"), 0);
}

/* What is private is never written to something that was there before. */
static void test_no_private_pipe(void **state)
{
	(void)state;
	struct mz_output output;
	assert_int_equal(mkfifo("file", 0666), 0);
	assert_int_equal(mz_output_open_private(&output, "file"), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(unlink("file"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_new_file),        cmocka_unit_test(test_replaced_file),
	    cmocka_unit_test(test_private_file),    cmocka_unit_test(test_name_is_taken),
	    cmocka_unit_test(test_no_private_pipe),
	};
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
