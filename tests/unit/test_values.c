/* SPDX-License-Identifier: MIT
 *
 * Values by their types: a small program is compiled in several ways, marks objects and says itself how they should be
 * shown. The one argument is its source.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "report/buffer.h"
#include "report/names.h"
#include "report/symbols.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VALUES = 71 };

static const char *source;
static char directory[] = "/tmp/mazurka-values-XXXXXX";

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	char command[256];
	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", directory);
	return system(command);
}

/* Compiles the program; skips the test where there is no such compiler. Returns what the program prints. */
static FILE *run(const char *compiler)
{
	char command[1024];
	if (strstr(compiler, "clang") && system("clang --version >/dev/null 2>&1") != 0) skip();
	snprintf(command, sizeof command, "%s -o %s/p %s", compiler, directory, source);
	assert_int_equal(system(command), 0);
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

static size_t bytes_of(const char *hex, uint8_t *bytes)
{
	size_t n = 0;
	for (unsigned byte; sscanf(hex + 2 * n, "%2x", &byte) == 1 && hex[2 * n] != ' '; n++) bytes[n] = (uint8_t)byte;
	return n;
}

/* Compares a value; nothing is expected where `told` is false. */
static void value_line(struct mz_names *names, const char *line, bool told)
{
	struct mz_record_frame frame;
	char name[32];
	int at = 0;
	uint8_t bytes[256];
	struct mz_buffer text = {0};
	struct mz_marked marked = {.name = name, .bytes = bytes};
	assert_int_equal(sscanf(line, "value %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %31s %n", &marked.address,
	                        &frame.code, &frame.sp, &frame.bp, name, &at),
	                 5);
	marked.size = bytes_of(line + at, bytes);
	const char *expected = line + at + strcspn(line + at, " ") + 1;
	bool known = mz_names_value(names, &frame, 1, &marked, &text);
	char *shown = mz_buffer_take(&text);
	assert_string_equal(known ? shown : "-", told ? expected : "-");
	assert_true(known || !*shown);
	mz_free(shown);
}

static void compare(const char *compiler, bool told)
{
	char line[1024];
	int n = 0;
	FILE *out = run(compiler);
	struct mz_names *names = mz_names_new("/nowhere");
	while (fgets(line, sizeof line, out)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "module", 6) == 0)
			module_line(names, line);
		else
			n++, value_line(names, line, told);
	}
	assert_int_equal(pclose(out), 0);
	assert_int_equal(n, VALUES);
	mz_names_free(names);
}

#define COMPARE(name, compiler, told)                                                                                  \
	static void name(void **state)                                                                                 \
	{                                                                                                              \
		(void)state;                                                                                           \
		compare(compiler, told);                                                                               \
	}
COMPARE(gcc_4, "gcc -gdwarf-4 -O0", true)
COMPARE(gcc_5, "gcc -gdwarf-5 -O0", true)
COMPARE(gcc_4_optimised, "gcc -gdwarf-4 -O2", true)
COMPARE(gcc_5_optimised, "gcc -gdwarf-5 -O2", true)
COMPARE(gcc_fixed_address, "gcc -g -O1 -no-pie -fno-pie -fno-omit-frame-pointer", true)
COMPARE(clang_4, "clang -gdwarf-4 -O0", true)
COMPARE(clang_5, "clang -gdwarf-5 -O0", true)
COMPARE(clang_4_optimised, "clang -gdwarf-4 -O2", true)
COMPARE(clang_5_optimised, "clang -gdwarf-5 -O2", true)
COMPARE(without_debug_information, "gcc -O0", false)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(gcc_4),
	    cmocka_unit_test(gcc_5),
	    cmocka_unit_test(gcc_4_optimised),
	    cmocka_unit_test(gcc_5_optimised),
	    cmocka_unit_test(gcc_fixed_address),
	    cmocka_unit_test(clang_4),
	    cmocka_unit_test(clang_5),
	    cmocka_unit_test(clang_4_optimised),
	    cmocka_unit_test(clang_5_optimised),
	    cmocka_unit_test(without_debug_information),
	};
	if (argc < 2) return 2;
	source = argv[1];
	return mz_symbols_available() ? cmocka_run_group_tests(tests, make_directory, remove_directory) : 0;
}
