/* SPDX-License-Identifier: MIT
 *
 * The trace file: what is written is read back and written again byte for byte, everything malformed is refused with
 * the line it is in, and neither a cut file nor a failing allocation does any harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "trace_sample.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int read_text(struct mz_trace *trace, const char *text, size_t size, char error[256])
{
	FILE *in = fmemopen((void *)(uintptr_t)text, size ? size : 1, "r");
	if (size == 0) getc(in);
	strcpy(error, "");
	int result = mz_trace_read(trace, in, error, 256);
	fclose(in);
	return result;
}

static char *write_text(const struct mz_trace *trace, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	assert_int_equal(mz_trace_write(trace, out), 0);
	fclose(out);
	return text;
}

static void assert_empty(const struct mz_trace *trace)
{
	static const struct mz_trace empty;
	assert_memory_equal(trace, &empty, sizeof empty);
}

static void round_trip(void **state)
{
	(void)state;
	struct mz_trace trace;
	char error[256];
	size_t size;
	assert_int_equal(read_text(&trace, sample, sizeof sample - 1, error), 0);
	char *again = write_text(&trace, &size);
	assert_string_equal(again, sample);
	assert_int_equal(size, sizeof sample - 1);
	free(again);
	mz_trace_release(&trace);
	assert_empty(&trace);
}

static void limits_are_written_where_they_are_others(void **state)
{
	(void)state;
	static const char before[] = "thread - 0 \"main\"\n", lines[] = "limits 10 20\n";
	const char *at = strstr(sample, before);
	char text[sizeof sample + sizeof lines], error[256];
	struct mz_trace trace;
	size_t size;
	assert_int_equal(read_text(&trace, sample, sizeof sample - 1, error), 0);
	assert_int_equal(trace.configuration.max_threads, 4095);
	assert_int_equal(trace.configuration.max_expirations, 1000);
	mz_trace_release(&trace);
	sprintf(text, "%.*s%s%s", (int)(at - sample), sample, lines, at);
	assert_int_equal(read_text(&trace, text, strlen(text), error), 0);
	assert_int_equal(trace.configuration.max_threads, 10);
	assert_int_equal(trace.configuration.max_expirations, 20);
	char *again = write_text(&trace, &size);
	assert_string_equal(again, text);
	free(again);
	mz_trace_release(&trace);
	sprintf(text, "%.*slimits 10\n%s", (int)(at - sample), sample, at);
	assert_int_equal(read_text(&trace, text, strlen(text), error), -1);
	assert_non_null(strstr(error, "line 17: the limit on expirations"));
}

static void fields_are_what_the_file_says(void **state)
{
	(void)state;
	struct mz_trace trace;
	char error[256];
	assert_int_equal(read_text(&trace, sample, sizeof sample - 1, error), 0);
	assert_string_equal(trace.program[3], "tab\tnewline\nquote\"backslash\\");
	assert_string_equal(trace.program[4], "\xff\xc3\xa9\x01\x7f");
	assert_string_equal(trace.program[5], "-");
	assert_null(trace.program[6]);
	assert_int_equal(trace.configuration.heap, MZ_HEAP_REUSE);
	assert_true(trace.configuration.races);
	assert_true(trace.configuration.volatiles == MZ_VOLATILE_ATOMIC);
	assert_true(trace.configuration.spins);
	assert_true(!trace.configuration.leaks && trace.configuration.thread_leaks);
	assert_string_equal(trace.configuration.fail, "malloc,new");
	assert_int_equal(trace.configuration.max_faults, 2);
	assert_int_equal(trace.configuration.max_steps, 100000);
	assert_true(trace.execution == UINT64_MAX);
	assert_int_equal(trace.nthreads, 4);
	assert_int_equal(trace.threads[3].parent, 1);
	assert_int_equal(trace.ninputs, 2);
	assert_string_equal(trace.inputs[0].name, "x");
	assert_int_equal(trace.inputs[0].size, 4);
	assert_memory_equal(trace.inputs[0].bytes, "\x11\xfe\0\0", 4);
	assert_int_equal(trace.inputs[1].thread, MZ_NO_THREAD);
	assert_true(trace.inputs[1].size == 0 && !trace.inputs[1].bytes);
	assert_int_equal(trace.nsteps, 3);
	assert_int_equal(trace.steps[1].op, MZ_OP_LOCK);
	assert_true(trace.steps[1].preemption && !trace.steps[1].has_value);
	assert_int_equal(trace.steps[2].step.choice, 1);
	assert_true(trace.steps[2].has_value && trace.steps[2].value == 0);
	assert_int_equal(trace.findings[0].ndetails, 2);
	assert_int_equal(trace.findings[1].thread, MZ_NO_THREAD);
	mz_trace_release(&trace);
}

/* Every single byte, in every kind of string. */
static void every_byte_survives(void **state)
{
	(void)state;
	for (int byte = 1; byte < 256; byte++) {
		char text[] = {'a', (char)byte, '"', (char)byte, '\0'}, error[256];
		char *argv[] = {text, NULL};
		struct mz_trace trace = {0}, back;
		size_t size;
		assert_int_equal(mz_trace_set_program(&trace, argv), 0);
		trace.configuration.points = MZ_POINTS_ALL;
		assert_non_null(mz_trace_add_thread(&trace));
		mz_trace_add_step(&trace)->object = mz_trace_copy_string(text);
		char *written = write_text(&trace, &size);
		assert_int_equal(strlen(written), size);
		assert_int_equal(read_text(&back, written, size, error), 0);
		assert_string_equal(back.program[0], text);
		assert_string_equal(back.steps[0].object, text);
		free(written);
		mz_trace_release(&trace);
		mz_trace_release(&back);
	}
}

/* The sample with the first `old` in it replaced. */
static char *edited(const char *old, const char *new, size_t *size)
{
	const char *at = strstr(sample, old);
	assert_non_null(at);
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	fprintf(out, "%.*s%s%s", (int)(at - sample), sample, new, at + strlen(old));
	fclose(out);
	return text;
}

static const struct {
	const char *old, *new, *error;
} malformed[] = {
    {"mazurka-trace 1", "mazurka-trace 2", "line 1: the trace is of version 2, this build of Mazurka reads version 1"},
    {"mazurka-trace 1", "mazurka-trace 01", "line 1: the version starts with a 0"},
    {"mazurka-trace 1", "mazurka-trace x", "line 1: the version is not a number"},
    {"mazurka-trace 1", "mazurka-trace", "line 1: not a Mazurka trace"},
    {"mazurka-trace 1\n", "", "line 1: not a Mazurka trace"},
    {"mazurka-trace 1\n", "\n", "line 1: not a Mazurka trace"},
    {"mazurka-trace 1", "mazurka-trace 1 ", "line 1: something follows at the end of the line"},
    {"mazurka-trace 1", "mazurka-trace 18446744073709551616", "line 1: the version is too large"},
    {"program", "programme", "line 2: expected `program`"},
    {"program \"./p\"", "program -", "line 2: an argument of the program is missing"},
    {"program \"./p\"", "program  \"./p\"", "line 2: the program is not a string in quotes"},
    {"\"\" \"tab", "\"\"\"tab", "line 2: a space is missing before the program"},
    {"\"two words\"", "two", "line 2: the program is not a string in quotes"},
    {"\\xff", "\\xfg", "line 2: the program is not a well-formed string"},
    {"\\xff", "\\xFF", "line 2: the program is not a well-formed string"},
    {"\\xff", "\\x41", "line 2: the program is not a well-formed string"},
    {"\\xff", "\\x0a", "line 2: the program is not a well-formed string"},
    {"\\xff", "\\x00", "line 2: the program is not a well-formed string"},
    {"\\xff", "\\r", "line 2: the program is not a well-formed string"},
    {"\\xff", "\xff", "line 2: the program is not a well-formed string"},
    {"\\xff", "\t", "line 2: the program is not a well-formed string"},
    {"\"-\"\n", "\"-\n", "line 2: the program is not a well-formed string"},
    {"\"-\"\n", "\"-\\\n", "line 2: the program is not a well-formed string"},
    {"\"-\"\n", "\"-\\x\n", "line 2: the program is not a well-formed string"},
    {"\"-\"\n", "\"-\\xf\n", "line 2: the program is not a well-formed string"},
    {"\"sha 12\"", "sha", "line 3: identity is not a string in quotes"},
    {"\"sha 12\"", "\"sha 12\" ", "line 3: something follows at the end of the line"},
    {"points sync", "points some", "line 4: `points` is neither sync nor all"},
    {"points sync", "points", "line 4: expected `points`"},
    {"points sync", "points ", "line 4: points is malformed"},
    {"heap reuse", "heap used", "line 5: `heap` is neither fresh nor reuse"},
    {"races yes", "races maybe", "line 6: `races` is neither yes nor no"},
    {"volatile atomic", "volatile yes", "line 7: `volatile` is neither plain nor atomic"},
    {"spins yes", "spins maybe", "line 8: `spins` is neither yes nor no"},
    {"leaks no", "leaks", "line 9: expected `leaks`"},
    {"thread-leaks yes", "thread-leaks 1", "line 10: `thread-leaks` is neither yes nor no"},
    {"fails \"malloc,new\" 2", "fails malloc,new 2", "line 11: the list is not a string in quotes"},
    {"fails \"malloc,new\" 2", "fails \"malloc,old\" 2", "line 11: `fails` names something that cannot"},
    {"fails \"malloc,new\" 2", "fails \"\" 2", "line 11: `fails` names something that cannot"},
    {"fails \"malloc,new\" 2", "fails \"malloc,new\"", "line 11: the limit is missing"},
    {"fails \"malloc,new\" 2", "fails - 2", "line 11: a limit on failures where nothing fails"},
    {"max-steps 100000", "max-steps 4294967296", "line 13: max-steps is too large"},
    {"max-steps 100000", "max-steps -1", "line 13: max-steps is not a number"},
    {"max-steps 100000", "max-steps 0100", "line 13: max-steps starts with a 0"},
    {"execution 18446744073709551615", "execution 18446744073709551616", "line 15: execution is too large"},
    {"thread - 0 \"main\"", "thread - 1 \"main\"", "line 17: a thread without a parent is nobody's n-th child"},
    {"thread - 0 \"main\"", "thread 0 1 \"main\"", "line 17: the parent of a thread comes before it"},
    {"thread 0 1", "thread 1 1", "line 18: the parent of a thread comes before it"},
    {"thread 0 1", "thread 0 0", "line 18: children are counted from 1"},
    {"thread 0 1", "thread 4294967295 1", "line 18: the parent is too large"},
    {"thread - 0 -", "thread - 0 \"f\"", "line 19: a thread without a parent runs nothing"},
    {"thread 1 4294967295 -", "thread 2 1 -", "line 20: the parent of a thread is in the execution"},
    {"thread 1 4294967295 -", "thread 1 4294967295", "line 20: the function is missing"},
    {"thread 1 4294967295 -", "thread 1 4294967295 -x", "line 20: the function is not a string in quotes"},
    {"input 0 0 \"x\"", "input 4 0 \"x\"", "line 21: there is no such thread"},
    {"input 0 0 \"x\"", "input 2 0 \"x\"", "line 21: the thread is not in the execution"},
    {"input 0 0 \"x\"", "input 0 0 -", "line 21: an input has a name"},
    {"input 0 0 \"x\"", "input 0 \"x\"", "line 21: the input's number is not a number"},
    {"\"x\" 11fe0000", "\"x\"", "line 21: the value is missing"},
    {"\"x\" 11fe0000", "\"x\" ", "line 21: the value is malformed"},
    {"\"x\" 11fe0000", "\"x\" 11f", "line 21: the value is malformed"},
    {"\"x\" 11fe0000", "\"x\" 11FE0000", "line 21: the value is malformed"},
    {"\"x\" 11fe0000", "\"x\" 11fe0000 ", "line 21: the text is not a string in quotes"},
    {"\"x\" 11fe0000", "\"x\" 11fe0000 -", "line 21: a text that is not there is left out"},
    {"\"x\" 11fe0000", "\"x\" 11fe0000 \"\" 1", "line 21: something follows at the end of the line"},
    {"\"x\" 11fe0000", "\"x\" 11fe0000x", "line 21: the value is malformed"},
    {"\"stdin\" -", "\"stdin\" -x", "line 22: the value is malformed"},
    {"step 0 0 1 write", "step 4 0 1 write", "line 23: there is no such thread"},
    {"step 0 0 1 write", "step 2 0 1 write", "line 23: the thread is not in the execution"},
    {"step 0 0 1 write", "step 0 1 1 write", "line 23: the choice is not one of the alternatives"},
    {"step 0 0 1 write", "step 0 0 0 write", "line 23: the choice is not one of the alternatives"},
    {"step 0 0 1 write", "step 0 0 1 right", "line 23: there is no operation `right`"},
    {"step 0 0 1 write", "step 0 0 1 WRITE", "line 23: the operation is malformed"},
    {"write write -", "write wrote -", "line 23: there is no kind of access `wrote`"},
    {"write write -", "write write +", "line 23: the preemption is malformed"},
    {"write write -", "write write yes", "line 23: neither `preemption` nor `-`"},
    {"4 18446744073709551615", "4 0x1", "line 23: a space is missing before the object"},
    {"4 18446744073709551615", "4 99999999999999999999", "line 23: the value is too large"},
    {"\"p.c\" 31", "\"p.c\"", "line 23: the line number is missing"},
    {"\"p.c\" 31", "\"p.c\" 31 0", "line 23: something follows at the end of the line"},
    {"\"p.c\" 31\n", "\"p.c\" 31\n\n", "line 24: the line is malformed"},
    {"\"p.c\" 31\n", "\"p.c\" 31\r\n", "line 23: something follows at the end of the line"},
    {"\"p.c\" 31\n", "\"p.c\" 31\nthread 0 2 -\n", "line 24: `thread` comes too late"},
    {"\"p.c\" 31\n", "\"p.c\" 31\nsteps 4\n", "line 24: there is no item `steps`"},
    {"finding data-race 1 3", "detail \"x\" - - 0\nfinding data-race 1 3", "line 26: a detail without a finding"},
    {"finding data-race", "finding data-rice", "line 26: there is no kind of finding `data-rice`"},
    {"finding data-race 1 3", "finding data-race 9 3", "line 26: there is no such thread"},
    {"finding data-race 1 3", "finding data-race 1 4", "line 26: there are not as many steps"},
    {"\"data race on `counter`\"", "-", "line 26: a finding has a message"},
    {"detail \"\" - - 0", "detail - - - 0", "line 28: a detail has a text"},
    {"finding deadlock", "step 0 0 1 yield read - 0 - - - - 0\nfinding deadlock", "line 29: `step` comes too late"},
    {"end\n", "end", "line 30: the file ends within a line"},
    {"end\n", "", "line 30: the file ends before its `end` line"},
    {"end\n", "end \n", "line 30: something follows at the end of the line"},
    {"end\n", "end\nend\n", "line 31: something follows after `end`"},
};

static void malformed_files_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
		struct mz_trace trace;
		char error[256];
		size_t size;
		char *text = edited(malformed[i].old, malformed[i].new, &size);
		assert_int_equal(read_text(&trace, text, size, error), -1);
		assert_string_equal(error, malformed[i].error);
		assert_empty(&trace);
		free(text);
	}
}

static void inputs_may_have_texts(void **state)
{
	(void)state;
	struct mz_trace trace;
	char error[256];
	size_t size;
	char *text = edited("\"x\" 11fe0000", "\"x\" 11fe0000 \"\\\"\\\\21\\\"\"", &size);
	assert_int_equal(read_text(&trace, text, size, error), 0);
	assert_string_equal(trace.inputs[0].text, "\"\\21\"");
	assert_int_equal(trace.inputs[0].size, 4);
	assert_null(trace.inputs[1].text);
	char *again = write_text(&trace, &size);
	assert_string_equal(again, text);
	free(again);
	free(text);
	mz_trace_release(&trace);
}

static void nul_and_endless_lines_are_refused(void **state)
{
	(void)state;
	struct mz_trace trace;
	char error[256], bytes[sizeof sample];
	memcpy(bytes, sample, sizeof bytes);
	bytes[20] = '\0';
	assert_int_equal(read_text(&trace, bytes, sizeof bytes - 1, error), -1);
	assert_string_equal(error, "line 2: a NUL byte: not a Mazurka trace");
	memset(bytes, 'm', sizeof bytes);
	assert_int_equal(read_text(&trace, bytes, sizeof bytes, error), -1);
	assert_string_equal(error, "line 1: not a Mazurka trace");
	FILE *endless = fopen("/dev/zero", "r");
	assert_int_equal(mz_trace_read(&trace, endless, error, sizeof error), -1);
	fclose(endless);
	FILE *directory = fopen("/", "r");
	assert_int_equal(mz_trace_read(&trace, directory, error, sizeof error), -1);
	assert_string_equal(error, "line 1: cannot be read");
	fclose(directory);
}

static void cut_anywhere_is_refused(void **state)
{
	(void)state;
	for (size_t size = 0; size < sizeof sample - 1; size++) {
		struct mz_trace trace;
		char error[256];
		assert_int_equal(read_text(&trace, sample, size, error), -1);
		assert_int_equal(strncmp(error, "line ", 5), 0);
		assert_null(strchr(error, '\n'));
		assert_empty(&trace);
	}
}

static void no_memory_is_said(void **state)
{
	(void)state;
	struct mz_trace trace;
	char error[256];
	int failed = 0;
	for (uint64_t n = 1;; n++, failed++) {
		mz_alloc_fail_at(n);
		int result = read_text(&trace, sample, sizeof sample - 1, error);
		mz_alloc_fail_at(0);
		if (result == 0) break;
		assert_non_null(strstr(error, "out of memory"));
		assert_empty(&trace);
	}
	assert_true(failed > 20);
	mz_trace_release(&trace);
}

static void what_cannot_be_read_is_not_written(void **state)
{
	(void)state;
	struct mz_trace trace = {0};
	char *argv[] = {"p", NULL};
	FILE *out = fopen("/dev/null", "w");
	assert_int_equal(mz_trace_write(&trace, out), -1);
	assert_int_equal(errno, EINVAL);
	mz_trace_set_program(&trace, argv);
	assert_null(mz_trace_check(&trace));
	mz_trace_add_step(&trace);
	assert_string_equal(mz_trace_check(&trace), "there is no such thread");
	assert_int_equal(mz_trace_write(&trace, out), -1);
	fclose(out);
	mz_trace_release(&trace);
}

static void a_full_disk_is_noticed(void **state)
{
	(void)state;
	struct mz_trace trace;
	char error[256];
	assert_int_equal(read_text(&trace, sample, sizeof sample - 1, error), 0);
	FILE *out = fopen("/dev/full", "w");
	assert_int_equal(mz_trace_write(&trace, out), -1);
	assert_int_equal(errno, ENOSPC);
	fclose(out);
	mz_trace_release(&trace);
}

static void threads_have_paths(void **state)
{
	(void)state;
	struct mz_trace trace;
	char error[256], name[32], tight[8];
	assert_int_equal(read_text(&trace, sample, sizeof sample - 1, error), 0);
	assert_string_equal(mz_trace_thread_name(&trace, 0, name, sizeof name), "main");
	assert_string_equal(mz_trace_thread_name(&trace, 1, name, sizeof name), "main/1");
	assert_string_equal(mz_trace_thread_name(&trace, 2, name, sizeof name), "?");
	assert_string_equal(mz_trace_thread_name(&trace, 3, name, sizeof name), "main/1/4294967295");
	assert_string_equal(mz_trace_thread_name(&trace, MZ_NO_THREAD, name, sizeof name), "?");
	assert_string_equal(mz_trace_thread_name(&trace, 1, tight, 6), "ain/1");
	assert_string_equal(mz_trace_thread_name(&trace, 3, tight, sizeof tight), "");
	mz_trace_release(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(round_trip),
	    cmocka_unit_test(limits_are_written_where_they_are_others),
	    cmocka_unit_test(fields_are_what_the_file_says),
	    cmocka_unit_test(every_byte_survives),
	    cmocka_unit_test(malformed_files_are_refused),
	    cmocka_unit_test(inputs_may_have_texts),
	    cmocka_unit_test(nul_and_endless_lines_are_refused),
	    cmocka_unit_test(cut_anywhere_is_refused),
	    cmocka_unit_test(no_memory_is_said),
	    cmocka_unit_test(what_cannot_be_read_is_not_written),
	    cmocka_unit_test(a_full_disk_is_noticed),
	    cmocka_unit_test(threads_have_paths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
