/* SPDX-License-Identifier: MIT
 *
 * Program files of every kind, most of them broken: mz_program_check() says what is wrong with each and reads no byte
 * outside any.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/note.h"
#include "campaign/instrumented.h"
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTE_AT (sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr))

/* The smallest file that passes: a header, one program header, one note. */
struct smallest {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	Elf64_Nhdr note;
	char name[8];
	uint32_t version;
};

static char folder[] = "/tmp/mazurka-program-XXXXXX";
static char file[sizeof folder + 16];

static struct smallest smallest(void)
{
	struct smallest s = {
	    .header = {.e_type = ET_DYN,
	               .e_machine = EM_X86_64,
	               .e_phoff = sizeof(Elf64_Ehdr),
	               .e_phentsize = sizeof(Elf64_Phdr),
	               .e_phnum = 1},
	    .segment = {.p_type = PT_NOTE, .p_offset = NOTE_AT, .p_filesz = sizeof s - NOTE_AT},
	    .note = {sizeof MZ_NOTE_NAME, sizeof(uint32_t), MZ_NOTE_TYPE},
	    .name = MZ_NOTE_NAME,
	    .version = MZ_ABI_VERSION,
	};
	memcpy(s.header.e_ident, ELFMAG, SELFMAG);
	s.header.e_ident[EI_CLASS] = ELFCLASS64;
	s.header.e_ident[EI_DATA] = ELFDATA2LSB;
	return s;
}

static void write_file(const void *data, size_t size)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), size);
	close(fd);
}

/* What is said about the file, after its name; "" when nothing is. */
static const char *said(const char *path)
{
	static char error[1024];
	error[0] = '\0';
	int status = mz_program_check(path, error, sizeof error);
	assert_int_equal(status, error[0] ? -1 : 0);
	if (!error[0]) return "";
	assert_null(strchr(error, '\n'));
	assert_memory_equal(error, path, strlen(path));
	return error + strlen(path);
}

static const char *said_of(const void *data, size_t size)
{
	write_file(data, size);
	return said(file);
}

static void test_smallest(void **state)
{
	(void)state;
	struct smallest s = smallest();
	assert_string_equal(said_of(&s, sizeof s), "");
	s.header.e_type = ET_EXEC;
	assert_string_equal(said_of(&s, sizeof s), "");
}

static void test_other_files(void **state)
{
	(void)state;
	assert_string_equal(said("/nonexistent/program"), ": No such file or directory");
	assert_string_equal(said(folder), " is a directory, not a program");
	assert_string_equal(said("/dev/null"), " is not a regular file");
	assert_string_equal(said_of("", 0),
	                    " is not an executable file (ELF): a program built with `mazurka cc` is needed");
	assert_string_equal(said_of("#!/bin/sh\n", 10), " is a script: a program built with `mazurka cc` is needed");
	struct smallest s = smallest();
	write_file(&s, sizeof s);
	chmod(file, 0644);
	assert_string_equal(said(file), " is not executable (chmod +x makes it so)");
	chmod(file, 0755);
}

static void test_other_programs(void **state)
{
	(void)state;
	struct smallest s = smallest();
	s.header.e_machine = EM_AARCH64;
	assert_string_equal(said_of(&s, sizeof s), " is a program for another machine: 64-bit x86-64 is needed");
	s = smallest();
	s.header.e_ident[EI_CLASS] = ELFCLASS32;
	assert_string_equal(said_of(&s, sizeof s), " is a program for another machine: 64-bit x86-64 is needed");
	s = smallest();
	s.header.e_type = ET_REL;
	assert_string_equal(said_of(&s, sizeof s), " is an object file, not a program: link it with `mazurka cc`");
	s = smallest();
	s.version++;
	assert_string_equal(said_of(&s, sizeof s),
	                    " was built for another version of mazurka; build it again with: mazurka cc -g -o p ...");
	s = smallest();
	s.note.n_type++;
	assert_string_equal(said_of(&s, sizeof s),
	                    " was not built for exploration; build it with: mazurka cc -g -o p ...");
}

/* Sizes and offsets that point anywhere. */
static void test_lies(void **state)
{
	(void)state;
	static const uint64_t lies[] = {0,          1,          63,         200,       0x7fffffff,
	                                0x80000000, 0xfffffff0, UINT32_MAX, INT64_MAX, UINT64_MAX};
	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		struct smallest each[6];
		for (size_t k = 0; k < 6; k++) each[k] = smallest();
		each[0].header.e_phoff = lies[i];
		each[1].header.e_phnum = (uint16_t)lies[i];
		each[2].segment.p_offset = lies[i];
		each[3].segment.p_filesz = lies[i];
		each[4].note.n_namesz = (uint32_t)lies[i];
		each[5].note.n_descsz = (uint32_t)lies[i];
		for (size_t k = 0; k < 6; k++) said_of(&each[k], sizeof each[k]);
	}
}

static void test_cut_off(void **state)
{
	(void)state;
	struct smallest s = smallest();
	for (size_t size = 0; size < sizeof s; size++) assert_string_not_equal(said_of(&s, size), "");
}

static void test_garbage(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < 5000; round++) {
		struct smallest s = smallest();
		unsigned char *bytes = (unsigned char *)&s;
		for (int n = rand() % 8; n >= 0; n--)
			bytes[SELFMAG + (size_t)rand() % (sizeof s - SELFMAG)] = (unsigned char)rand();
		char identity[MZ_IDENTITY_SIZE];
		said_of(&s, sizeof s);
		assert_int_equal(mz_program_identity(file, identity), 0);
		assert_in_range(strlen(identity), 1, MZ_IDENTITY_SIZE - 1);
	}
}

static void test_identity(void **state)
{
	(void)state;
	char first[MZ_IDENTITY_SIZE], second[MZ_IDENTITY_SIZE];
	struct smallest s = smallest();
	write_file(&s, sizeof s);
	assert_int_equal(mz_program_identity(file, first), 0);
	assert_int_equal(strlen(first), 16);
	assert_int_equal(mz_program_identity(file, second), 0);
	assert_string_equal(first, second);
	s.segment.p_align++;
	write_file(&s, sizeof s);
	assert_int_equal(mz_program_identity(file, second), 0);
	assert_string_not_equal(first, second);

	/* a build id wins over the contents */
	s = smallest();
	s.note = (Elf64_Nhdr){4, sizeof(uint32_t) * 2, NT_GNU_BUILD_ID};
	memcpy(s.name, "GNU\0\x12\x34\x56\x78", 8);
	s.version = 0xddccbbaa;
	write_file(&s, sizeof s);
	assert_int_equal(mz_program_identity(file, first), 0);
	assert_string_equal(first, "12345678aabbccdd");
	assert_int_equal(mz_program_identity("/nonexistent", first), -1);
}

static void test_find(void **state)
{
	(void)state;
	char path[PATH_MAX], error[1024];
	struct smallest s = smallest();
	write_file(&s, sizeof s);
	setenv("PATH", "/nonexistent::/bin", 1);
	assert_int_equal(mz_program_find("./here", path, error, sizeof error), 0);
	assert_string_equal(path, "./here");
	assert_int_equal(mz_program_find("sh", path, error, sizeof error), 0);
	assert_string_equal(path, "/bin/sh");
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(mz_program_find("p", path, error, sizeof error), 0);
	assert_string_equal(path, "./p");
	setenv("PATH", "/bin", 1);
	assert_int_equal(mz_program_find("p", path, error, sizeof error), -1);
	assert_string_equal(error, "p is not in PATH; to run the one in this folder write ./p");
	assert_int_equal(mz_program_find("nonexistent", path, error, sizeof error), -1);
	assert_string_equal(error, "nonexistent is not in PATH");
	assert_int_equal(mz_program_find("", path, error, sizeof error), -1);
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder)) return -1;
	snprintf(file, sizeof file, "%s/p", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(file);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_smallest), cmocka_unit_test(test_other_files), cmocka_unit_test(test_other_programs),
	    cmocka_unit_test(test_lies),     cmocka_unit_test(test_cut_off),     cmocka_unit_test(test_garbage),
	    cmocka_unit_test(test_identity), cmocka_unit_test(test_find),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
