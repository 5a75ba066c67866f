/* SPDX-License-Identifier: MIT
 *
 * Names of places and objects: a small program is compiled in several ways and says itself what they should be. The
 * one argument is its source.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "report/names.h"
#include "report/symbols.h"
#include "trace/channel.h"
#include "trace/fault.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *source;
static char directory[] = "/tmp/mazurka-names-XXXXXX";

__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...)
{
	char command[4096];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(command, sizeof command, format, arguments);
	va_end(arguments);
	return system(command);
}

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) && shell("mkdir %s/sub && cp '%s' %s/p.c", directory, source, directory) == 0 ? 0
	                                                                                                        : -1;
}

static int remove_directory(void **state)
{
	(void)state;
	return shell("rm -rf %s", directory);
}

/* Compiles p.c in the temporary directory; skips the test where there is no such compiler. */
static void compile(const char *command)
{
	if (strstr(command, "clang") && shell("clang --version >/dev/null 2>&1") != 0) skip();
	assert_int_equal(shell("cd %s && %s", directory, command), 0);
}

static FILE *run(void)
{
	char command[256];
	snprintf(command, sizeof command, "%s/p", directory);
	FILE *out = popen(command, "r");
	assert_non_null(out);
	return out;
}

static void module_line(struct mz_names *names, const char *line)
{
	uint64_t base, start, end;
	int at = 0;
	assert_int_equal(sscanf(line, "module %" SCNx64 " %" SCNx64 " %" SCNx64 " %n", &base, &start, &end, &at), 3);
	assert_int_equal(mz_names_add_module(names, line + at, base, start, end), 0);
}

static void object_line(struct mz_names *names, const char *line)
{
	uint64_t address, length;
	int at = 0;
	char *name;
	assert_int_equal(sscanf(line, "object %" SCNx64 " %" SCNu64 " %n", &address, &length, &at), 2);
	assert_int_equal(mz_names_object(names, address, length, &name), 0);
	assert_string_equal(name, line + at);
	mz_free(name);
}

/* The frame lies behind one that the C library has. */
static void place_line(struct mz_names *names, const char *line, const char *file)
{
	uint64_t frames[2] = {0};
	uint32_t number;
	int at = 0;
	struct mz_place place;
	assert_int_equal(sscanf(line, "place %" SCNx64 " %" SCNu32 " %n", &frames[1], &number, &at), 2);
	assert_int_equal(mz_names_place(names, frames, 2, &place), 0);
	assert_string_equal(place.function, line + at);
	if (file)
		assert_string_equal(place.file, file);
	else
		assert_null(place.file);
	assert_int_equal(place.line, file ? number : 0);
	mz_free(place.function);
	mz_free(place.file);
}

/* Compares everything the program says; returns how much that was. */
static int compare(const char *compiler, const char *here, const char *file)
{
	char line[512];
	int n = 0;
	compile(compiler);
	struct mz_names *names = mz_names_new(here);
	FILE *out = run();
	while (fgets(line, sizeof line, out)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "module", 6) == 0)
			module_line(names, line);
		else if (strncmp(line, "object", 6) == 0)
			object_line(names, line);
		else
			place_line(names, line, file);
		n++;
	}
	pclose(out);
	mz_names_free(names);
	return n;
}

static void gcc_unoptimised(void **state)
{
	(void)state;
	assert_true(compare("gcc -g -O0 -o p p.c", "/nowhere", "p.c") > 30);
}

static void gcc_optimised(void **state)
{
	(void)state;
	assert_true(compare("gcc -g -O2 -o p p.c", "/", "p.c") > 30);
}

static void gcc_old_format_fixed_address(void **state)
{
	(void)state;
	assert_true(compare("gcc -gdwarf-4 -no-pie -fno-pie -O1 -o p ./p.c", "/nowhere", "p.c") > 30);
}

static void clang_unoptimised(void **state)
{
	(void)state;
	assert_true(compare("clang -g -O0 -o p p.c", "/nowhere", "p.c") > 30);
}

static void clang_optimised(void **state)
{
	(void)state;
	assert_true(compare("clang -g -O2 -o p p.c", "/nowhere", "p.c") > 30);
}

static void files_below_the_directory_are_relative(void **state)
{
	char command[256], absolute[128];
	(void)state;
	snprintf(command, sizeof command, "cd sub && gcc -g -o ../p %s/p.c", directory);
	snprintf(absolute, sizeof absolute, "%s/p.c", directory);
	assert_true(compare(command, directory, "p.c") > 30);
	assert_true(compare(command, "/nowhere", absolute) > 30);
	assert_true(compare("cd sub && gcc -g -o ../p ../p.c", directory, "../p.c") > 30);
}

/* What the program says of itself, without lines: only the places whose functions are in the symbol table. */
static void symbols_alone(void **state)
{
	char line[512], *name = NULL;
	int n = 0;
	(void)state;
	compile("gcc -O0 -o p p.c");
	struct mz_names *names = mz_names_new("/nowhere");
	FILE *out = run();
	while (fgets(line, sizeof line, out)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "module", 6) == 0) module_line(names, line);
		if (strstr(line, " counter") || strstr(line, " mutex") || strstr(line, " hidden"))
			n++, object_line(names, line);
		if (strncmp(line, "place", 5) == 0 && !strstr(line, "inlined")) n++, place_line(names, line, NULL);
		if (!strstr(line, " table[3].head")) continue;
		assert_int_equal(mz_names_object(names, strtoull(line + 7, NULL, 16), 8, &name), 0);
		assert_string_equal(name, "table+72");
	}
	pclose(out);
	assert_int_equal(n, 7);
	assert_non_null(name);
	mz_free(name);
	mz_names_free(names);
}

static void stripped_programs_have_offsets(void **state)
{
	char *name;
	uint64_t frames[] = {0x5000, 0x2124};
	struct mz_place place;
	(void)state;
	struct mz_names *names = mz_names_new("/nowhere");
	mz_names_add_module(names, "/no/such/file/p", 0x1000, 0x1000, 0x5000);
	assert_int_equal(mz_names_place(names, frames, 2, &place), 0);
	assert_string_equal(place.function, "p+0x3fff");
	mz_free(place.function);
	assert_int_equal(mz_names_place(names, frames + 1, 1, &place), 0);
	assert_string_equal(place.function, "p+0x1123");
	mz_free(place.function);
	assert_int_equal(mz_names_object(names, 0x4010, 4, &name), 0);
	assert_string_equal(name, "p+0x3010");
	mz_free(name);
	assert_int_equal(mz_names_object(names, 0x6000, 4, &name), 0);
	assert_string_equal(name, "address 0x6000");
	mz_free(name);
	assert_int_equal(mz_names_place(names, NULL, 0, &place), 0);
	assert_null(place.function);
	mz_names_free(names);
}

static void the_c_library_is_not_the_place(void **state)
{
	uint64_t frames[] = {0x2500, 0x3500, 0x4500, 0x1500}, in_libc[] = {0x99, 0x3500};
	struct mz_place place;
	(void)state;
	struct mz_names *names = mz_names_new("/nowhere");
	mz_names_add_module(names, "/no/p", 0x1000, 0x1000, 0x2000);
	mz_names_add_module(names, "/no/libmazurka.so", 0x2000, 0x2000, 0x3000);
	mz_names_add_module(names, "/no/libc.so.6", 0x3000, 0x3000, 0x4000);
	mz_names_add_module(names, "/no/libmine.so", 0x4000, 0x4000, 0x5000);
	assert_int_equal(mz_names_place(names, frames, 4, &place), 0);
	assert_string_equal(place.function, "libmine.so+0x4ff");
	mz_free(place.function);
	assert_int_equal(mz_names_place(names, in_libc, 2, &place), 0);
	assert_string_equal(place.function, "libc.so.6+0x4ff");
	mz_free(place.function);
	mz_names_free(names);
}

static void assert_object(struct mz_names *names, uint64_t address, const char *expected)
{
	char *name;
	assert_int_equal(mz_names_object(names, address, 4, &name), 0);
	assert_string_equal(name, expected);
	mz_free(name);
}

static void heap_blocks_and_stacks(void **state)
{
	uint64_t site = 0x1124, other = 0x1200;
	(void)state;
	struct mz_names *names = mz_names_new("/nowhere");
	mz_names_add_module(names, "/no/p", 0x1000, 0x1000, 0x2000);
	mz_names_add_block(names, 0x7000, 24, 0, &site, 1, true);
	assert_object(names, 0x7008, "heap block of 24 bytes from p+0x123, +8");
	mz_names_add_block(names, 0x8000, 24, 0, &site, 1, true);
	mz_names_add_block(names, 0x8000, 24, 0, &site, 1, true);
	assert_object(names, 0x7000, "heap block of 24 bytes from p+0x123 #1");
	assert_object(names, 0x8017, "heap block of 24 bytes from p+0x123 #2, +23");
	assert_object(names, 0x8018, "heap block of 24 bytes from p+0x123 #2, +24");
	assert_object(names, 0x7ffc, "heap block of 24 bytes from p+0x123 #2, -4");
	assert_object(names, 0x12000, "address 0x12000");
	mz_names_add_block(names, 0x8010, 100, 0, &other, 1, false);
	assert_object(names, 0x8010, "heap block of 24 bytes from p+0x123 #2, +16");
	mz_names_add_block(names, 0x8010, 100, 0, &other, 1, true);
	assert_object(names, 0x8010, "heap block of 100 bytes from p+0x1ff");
	mz_names_add_block(names, UINT64_MAX - 3, UINT64_MAX, 0, NULL, 0, true);
	assert_object(names, UINT64_MAX, "heap block of 18446744073709551615 bytes, +3");
	mz_names_add_stack(names, 0x20000, 0x30000, "main/2");
	assert_object(names, 0x2fff8, "stack of main/2, top-8");
	mz_names_free(names);
}

/* Objects of different spaces are different, and each is named for what it is, whatever its number. */
static void objects_that_are_no_memory(void **state)
{
	static const uint8_t spaces[] = {
#define X(id, byte) byte,
	    MZ_SPACES(X)
#undef X
	};
	(void)state;
	for (size_t i = 1; i < sizeof spaces; i++) assert_true(spaces[i - 1] < spaces[i]);
	struct mz_names *names = mz_names_new("/nowhere");
	mz_names_add_stack(names, 0x20000, 0x30000, "main/2");
	assert_object(names, mz_object_in(MZ_SPACE_THREAD, 0x30000), "thread main/2");
	assert_object(names, mz_object_in(MZ_SPACE_FILE, 1), "file 2");
	assert_object(names, mz_object_in(MZ_SPACE_OPENING, 1), "position in a file");
	assert_object(names, mz_object_in(MZ_SPACE_DESCRIPTOR, 7), "descriptor 7");
	assert_object(names, mz_object_in(MZ_SPACE_DESCRIPTORS, 0), "descriptors");
	assert_object(names, mz_channel_part(mz_channel_name(MZ_CHANNEL_PIPE, 3, 4, 9), MZ_CHANNEL_ROOM), "pipe 3/4");
	assert_object(names, mz_fault_object(MZ_FAULT_MALLOC, 0), "malloc works");
	mz_names_free(names);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest always[] = {
	    cmocka_unit_test(stripped_programs_have_offsets),
	    cmocka_unit_test(the_c_library_is_not_the_place),
	    cmocka_unit_test(heap_blocks_and_stacks),
	    cmocka_unit_test(objects_that_are_no_memory),
	};
	const struct CMUnitTest with_symbols[] = {
	    cmocka_unit_test(gcc_unoptimised),
	    cmocka_unit_test(gcc_optimised),
	    cmocka_unit_test(gcc_old_format_fixed_address),
	    cmocka_unit_test(clang_unoptimised),
	    cmocka_unit_test(clang_optimised),
	    cmocka_unit_test(files_below_the_directory_are_relative),
	    cmocka_unit_test(symbols_alone),
	};
	if (argc < 2) return 2;
	source = argv[1];
	int failed = cmocka_run_group_tests(always, NULL, NULL);
	if (mz_symbols_available()) failed += cmocka_run_group_tests(with_symbols, make_directory, remove_directory);
	return failed;
}
