/* SPDX-License-Identifier: MIT
 *
 * The reports, byte for byte: JSON, the interleaving, the closing line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/text.h"
#include "report/unicode.h"
#include "trace_sample.h"
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *argv_of_p[] = {"./p", "a\"b\\c\n\x01\xff\xc3\xa9", NULL};

static void read_sample(struct mz_trace *trace)
{
	char error[256];
	FILE *in = fmemopen((void *)(uintptr_t)sample, sizeof sample - 1, "r");
	assert_int_equal(mz_trace_read(trace, in, error, sizeof error), 0);
	fclose(in);
}

static char *json_of(const struct mz_result *result)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	assert_int_equal(mz_json_write(result, out), 0);
	fclose(out);
	return text;
}

/* Python's parser has the same opinion. */
static void assert_is_json(const char *text)
{
	FILE *python = popen("python3 -m json.tool >/dev/null", "w");
	fputs(text, python);
	assert_int_equal(pclose(python), 0);
}

static struct mz_result passing(void)
{
	return (struct mz_result){.version = "0.1.0",
	                          .program = argv_of_p,
	                          .strategy = "optimal",
	                          .points = "sync",
	                          .verdict = MZ_VERDICT_PASS,
	                          .complete = true,
	                          .executions = 64,
	                          .traces = {true, 64},
	                          .steps = 1210,
	                          .seconds = 0.004,
	                          .peak_rss_kb = 9000};
}

static void json_of_a_pass(void **state)
{
	(void)state;
	struct mz_result result = passing();
	char *text = json_of(&result);
	assert_string_equal(
	    text,
	    "{\"mazurka\": \"0.1.0\", \"program\": [\"./p\", \"a\\\"b\\\\c\\n\\u0001\xef\xbf\xbd\xc3\xa9\"], "
	    "\"strategy\": \"optimal\", \"method\": \"optimal\", \"points\": \"sync\", \"memory_model\": \"sc\",\n"
	    " \"verdict\": \"pass\", \"complete\": true, \"complete_for\": \"everything\", \"reason\": null,\n"
	    " \"executions\": 64, \"redundant\": 0, \"traces\": 64, \"steps\": 1210, \"states\": null,\n"
	    " \"bounds\": {\"preemptions\": null, \"fair\": null},\n"
	    " \"iterations\": [],\n"
	    " \"bugs\": [],\n"
	    " \"uncontrolled\": [],\n"
	    " \"assumed\": 0,\n"
	    " \"seconds\": 0.004, \"executions_per_second\": 16000, \"peak_rss_kb\": 9000}\n");
	assert_is_json(text);
	free(text);
}

static void json_of_a_bug(void **state)
{
	(void)state;
	struct mz_trace trace;
	struct mz_result_iteration iterations[] = {{0, 2, 0, {true, 2}}, {1, 5, 1, {false, 0}}};
	struct mz_result result = passing();
	read_sample(&trace);
	result.verdict = MZ_VERDICT_BUG;
	result.complete = false;
	result.executions = UINT64_MAX;
	result.traces.set = false;
	result.preemption_bound = (struct mz_optional){true, 2};
	result.iterations = iterations;
	result.niterations = 2;
	result.seconds = 12.0;
	result.assumed = 3;
	result.solver = (struct mz_result_solver){true, 12, 7, 5, 0, 2, 0.01};
	result.uncontrolled = (struct mz_result_call[]){{"connect", 3}, {"socket", 1}};
	result.nuncontrolled = 2;
	assert_int_equal(mz_result_add_bug(&result, &trace, "mazurka-out/bug-1.trace"), 0);
	trace.findings[0].thread = MZ_NO_THREAD;
	mz_free(trace.findings[0].place.file);
	trace.findings[0].place.file = NULL;
	assert_int_equal(mz_result_add_bug(&result, &trace, NULL), 0);
	char *text = json_of(&result);
	assert_string_equal(
	    strstr(text, " \"verdict\""),
	    " \"verdict\": \"bug\", \"complete\": false, \"complete_for\": null, \"reason\": null,\n"
	    " \"executions\": 18446744073709551615, \"redundant\": 0, \"traces\": null, \"steps\": 1210, \"states\": "
	    "null,\n"
	    " \"bounds\": {\"preemptions\": 2, \"fair\": null},\n"
	    " \"iterations\": [{\"preemptions\": 0, \"executions\": 2, \"redundant\": 0, \"traces\": 2},\n"
	    "                {\"preemptions\": 1, \"executions\": 5, \"redundant\": 1, \"traces\": null}],\n"
	    " \"bugs\": [{\"kind\": \"data-race\", \"message\": \"data race on `counter`\", \"location\": \"p.c:14\", "
	    "\"thread\": \"main/1\",\n"
	    "           \"preemptions\": 1, \"execution\": 18446744073709551615, \"trace\": "
	    "\"mazurka-out/bug-1.trace\",\n"
	    "           \"inputs\": [{\"name\": \"x\", \"size\": 4, \"hex\": \"11fe0000\", \"text\": \"65041\"}, "
	    "{\"name\": \"stdin\", "
	    "\"size\": 0, \"hex\": \"\", \"text\": \"\\\"\\\"\"}]},\n"
	    "          {\"kind\": \"data-race\", \"message\": \"data race on `counter`\", \"location\": \"worker\", "
	    "\"thread\": null,\n"
	    "           \"preemptions\": 1, \"execution\": 18446744073709551615, \"trace\": null,\n"
	    "           \"inputs\": [{\"name\": \"x\", \"size\": 4, \"hex\": \"11fe0000\", \"text\": \"65041\"}, "
	    "{\"name\": \"stdin\", "
	    "\"size\": 0, \"hex\": \"\", \"text\": \"\\\"\\\"\"}]}],\n"
	    " \"uncontrolled\": [{\"function\": \"connect\", \"calls\": 3}, {\"function\": \"socket\", \"calls\": "
	    "1}],\n"
	    " \"assumed\": 3, \"solver\": {\"queries\": 12, \"sat\": 7, \"unsat\": 5, \"timeouts\": 0, \"limited\": 2, "
	    "\"seconds\": 0.01},\n"
	    " \"seconds\": 12, \"executions_per_second\": 0, \"peak_rss_kb\": 9000}\n");
	assert_is_json(text);
	free(text);
	mz_result_release(&result);
	mz_trace_release(&trace);
}

static void json_has_no_odd_numbers(void **state)
{
	(void)state;
	static const struct {
		double seconds;
		const char *text;
	} cases[] = {{0, "\"seconds\": 0, "},
	             {-1, "\"seconds\": 0, "},
	             {0.0 / 0.0, "\"seconds\": 0, "},
	             {1e300, "\"seconds\": 0, "},
	             {0.0000005, "\"seconds\": 0.000001, "},
	             {3.1, "\"seconds\": 3.1, "},
	             {10.050001, "\"seconds\": 10.050001, "}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mz_result result = passing();
		result.seconds = cases[i].seconds;
		char *text = json_of(&result);
		assert_non_null(strstr(text, cases[i].text));
		assert_is_json(text);
		free(text);
	}
}

static void json_write_errors_are_noticed(void **state)
{
	(void)state;
	struct mz_result result = passing();
	FILE *full = fopen("/dev/full", "w");
	assert_int_equal(mz_json_write(&result, full), -1);
	assert_int_equal(errno, ENOSPC);
	fclose(full);
}

static void utf8_is_told_from_what_is_not(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t length;
	} cases[] = {{"a", 1},
	             {"\xc3\xa9", 2},
	             {"\xe2\x82\xac", 3},
	             {"\xf0\x9f\x92\xa9", 4},
	             {"\x80", 0},
	             {"\xc0\x80", 0},
	             {"\xc3", 0},
	             {"\xe0\x80\x80", 0},
	             {"\xed\xa0\x80", 0},
	             {"\xf4\x90\x80\x80", 0},
	             {"\xf8\x88\x80", 0},
	             {"\xe2\x82", 0},
	             {"\xff", 0}};
	uint32_t code;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(mz_utf8_decode(cases[i].bytes, &code), cases[i].length);
	struct mz_buffer out = {0};
	mz_printable_add(&out, "a\n\t\x1b[31m\x7f\xc2\x9b\xff\xc3\xa9");
	char *text = mz_buffer_take(&out);
	assert_string_equal(text, "a\\n\\t\\x1b[31m\\x7f\\xc2\\x9b\\xff\xc3\xa9");
	mz_free(text);
}

static void values_are_what_a_person_expects(void **state)
{
	(void)state;
	static const struct {
		uint64_t value;
		uint32_t length;
		const char *text;
	} cases[] = {{0, 4, "0"},
	             {0xffffffff, 4, "-1"},
	             {0xffffffff, 8, "0xffffffff"},
	             {0xff, 1, "-1"},
	             {0xff, 2, "255"},
	             {UINT64_MAX, 8, "-1"},
	             {UINT64_MAX, 0, "-1"},
	             {123456, 4, "123456"},
	             {0x7f0012345678, 8, "0x7f0012345678"},
	             {0x1ff, 1, "-1"},
	             {0x80000000, 4, "0x80000000"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mz_buffer out = {0};
		mz_value_add(&out, cases[i].value, cases[i].length);
		char *text = mz_buffer_take(&out);
		assert_string_equal(text, cases[i].text);
		mz_free(text);
	}
}

/* ---- text ---- */

static char *text_of_trace(const struct mz_trace *trace, bool all, bool colour)
{
	char *words = NULL;
	size_t size;
	struct mz_text text = {.out = open_memstream(&words, &size), .all = all, .colour = colour};
	assert_int_equal(mz_text_write_trace(&text, trace, "out/bug-1.trace"), 0);
	fclose(text.out);
	return words;
}

static void in_a_directory_with_source(void)
{
	static char directory[] = "/tmp/mazurka-report-XXXXXX";
	assert_non_null(mkdtemp(directory));
	assert_int_equal(chdir(directory), 0);
	FILE *source = fopen("p.c", "w");
	for (int line = 1; line <= 31; line++) fprintf(source, "\t  line(%d); /* \x1b */\n", line);
	fclose(source);
}

static void leave_directory(void)
{
	char directory[256];
	unlink("p.c");
	assert_non_null(getcwd(directory, sizeof directory));
	rmdir(directory);
	assert_int_equal(chdir("/"), 0);
}

static void text_of_a_trace(void **state)
{
	(void)state;
	struct mz_trace trace;
	read_sample(&trace);
	in_a_directory_with_source();
	char *text = text_of_trace(&trace, true, false);
	leave_directory();
	assert_string_equal(text,
	                    "bug: data-race after 3 steps, 1 preemption\n"
	                    "    data race on `counter`\n"
	                    "    with x = 65041, stdin = \"\"\n"
	                    "    main/1 at p.c:14 (worker)\n"
	                    "        | line(14); /* \\x1b */\n"
	                    "    earlier: read of 4 bytes by main at p.c:33 (main)\n"
	                    "    \n"
	                    "\n"
	                    "bug: deadlock after 0 steps, 1 preemption\n"
	                    "    all threads wait\n"
	                    "\n"
	                    "execution 18446744073709551615 of ./p two words  tab\\tnewline\\nquote\"backslash\\ "
	                    "\\xff\xc3\xa9\\x01\\x7f -, "
	                    "3 steps:\n"
	                    "  step  thread             operation  object         place\n"
	                    "     1  main               write      counter = -1   p.c:31 (main)                   | "
	                    "line(31); /* \\x1b */\n"
	                    "    -- main is preempted: it could have gone on\n"
	                    "     2  main/1             lock       table[3].head  dir with space/p.c:14 (worker)\n"
	                    "     3  main/1/4294967295  choose     1 of 0..1\n"
	                    "trace: out/bug-1.trace\n");
	free(text);
	mz_trace_release(&trace);
}

static void other_findings_are_short(void **state)
{
	(void)state;
	struct mz_trace trace;
	read_sample(&trace);
	char *text = text_of_trace(&trace, false, false);
	assert_non_null(strstr(text, "(main)\n    \n\nalso: deadlock: all threads wait\n\nexecution "));
	free(text);
	mz_trace_release(&trace);
}

static void text_colours_what_matters(void **state)
{
	(void)state;
	struct mz_trace trace;
	read_sample(&trace);
	char *text = text_of_trace(&trace, false, true);
	assert_non_null(strstr(text, "\033[1;31mdata-race\033[0m"));
	assert_non_null(strstr(text, "\033[33m    -- main is preempted: it could have gone on\033[0m\n"));
	free(text);
	mz_trace_release(&trace);
}

/* Two threads, a preemption at step 500 of 1000. */
static void make_long(struct mz_trace *trace)
{
	char *argv[] = {"p", NULL};
	*trace = (struct mz_trace){.execution = 1};
	mz_trace_set_program(trace, argv);
	mz_trace_add_thread(trace);
	struct mz_trace_thread *thread = mz_trace_add_thread(trace);
	thread->parent = 0;
	thread->nth = 1;
	for (int i = 0; i < 1000; i++) {
		struct mz_trace_step *step = mz_trace_add_step(trace);
		step->step.thread = i >= 500;
		step->preemption = i == 500;
		step->op = i == 3 ? MZ_OP_TRYLOCK : MZ_OP_YIELD;
	}
}

static void long_executions_are_cut(void **state)
{
	(void)state;
	struct mz_trace trace;
	make_long(&trace);
	char *text = text_of_trace(&trace, false, false);
	assert_non_null(strstr(text, "     2  main    yield\n"
	                             "     ... 497 steps not shown\n"
	                             "   500  main    yield\n"
	                             "    -- main is preempted: it could have gone on\n"
	                             "   501  main/1  yield\n"
	                             "   502  main/1  yield\n"
	                             "     ... 482 steps not shown\n"
	                             "   985  main/1  yield\n"));
	assert_non_null(strstr(text, "note: no source lines are known; "));
	free(text);
	text = text_of_trace(&trace, true, false);
	assert_null(strstr(text, "not shown"));
	assert_non_null(strstr(text, "\n     4  main    trylock (busy)\n"));
	assert_non_null(strstr(text, "\n  1000  main/1  yield\n"));
	free(text);
	mz_trace_release(&trace);
}

static void no_memory_is_said(void **state)
{
	(void)state;
	struct mz_trace trace;
	read_sample(&trace);
	int failed = 0;
	for (uint64_t n = 1;; n++, failed++) {
		char *words = NULL;
		size_t size;
		struct mz_text text = {.out = open_memstream(&words, &size)};
		mz_alloc_fail_at(n);
		int result = mz_text_write_trace(&text, &trace, NULL);
		int error = errno;
		mz_alloc_fail_at(0);
		fclose(text.out);
		assert_true(result == 0 || (error == ENOMEM && size == 0));
		free(words);
		if (result == 0) break;
	}
	assert_true(failed > 10);
	mz_trace_release(&trace);
}

static void assert_result(const struct mz_result *result, const char *expected)
{
	char *words = NULL;
	size_t size;
	struct mz_text text = {.out = open_memstream(&words, &size)};
	struct mz_sink sink = mz_text_sink(&text);
	assert_int_equal(sink.result(sink.self, result), 0);
	fclose(text.out);
	assert_string_equal(words, expected);
	free(words);
}

static void closing_lines(void **state)
{
	(void)state;
	struct mz_trace trace;
	struct mz_result result = passing();
	assert_result(&result, "no bug: all 64 executions explored (64 traces), complete\n");
	result.executions = 1;
	result.traces.set = false;
	assert_result(&result, "no bug: the only execution explored, complete\n");
	result.executions = 5;
	result.redundant = 2;
	result.preemption_bound = (struct mz_optional){true, 1};
	result.fair_bound = (struct mz_optional){true, 3};
	assert_result(&result, "no bug within 1 preemption and a fairness bound of 3: all 5 executions explored "
	                       "(2 redundant), complete\n");
	result.verdict = MZ_VERDICT_INCOMPLETE;
	result.complete = false;
	result.reason = "--timeout 10 was reached";
	assert_result(&result, "incomplete: --timeout 10 was reached; no bug in 5 executions (2 redundant)\n");
	result.verdict = MZ_VERDICT_BUG;
	read_sample(&trace);
	mz_result_add_bug(&result, &trace, "out/bug-1.trace");
	assert_result(
	    &result,
	    "1 bug found in 5 executions (2 redundant), incomplete: --timeout 10 was reached\n"
	    "  data-race: data race on `counter` at p.c:14 with x = 65041, stdin = \"\", trace out/bug-1.trace\n");
	mz_result_release(&result);
	mz_trace_release(&trace);
}

/* ---- verdict, completeness, scope, exit status and sentence agree ---- */

struct conclusion {
	const char *reason;
	size_t bugs;
	bool broken, hidden, unjudged, missed, failed; /* what the result has */
	enum mz_verdict verdict;
	int status;
	const char *scope; /* NULL: the result is not complete */
	const char *text;
};

static const struct conclusion conclusions[] = {
    {.verdict = MZ_VERDICT_PASS,
     .status = 0,
     .scope = "everything",
     .text = "no bug: the only execution explored, complete\n"},
    {.failed = true,
     .verdict = MZ_VERDICT_PASS,
     .status = 2,
     .scope = "everything",
     .text = "no bug: the only execution explored, complete\n"},
    {.hidden = true,
     .verdict = MZ_VERDICT_PASS,
     .status = 0,
     .scope = "what was observed",
     .text = "no bug: the only execution explored, complete for what was observed\n"},
    {.unjudged = true,
     .verdict = MZ_VERDICT_PASS,
     .status = 0,
     .scope = "switches at synchronization",
     .text =
         "no bug: the only execution explored, complete for switches at synchronization; data races were not looked "
         "for: see --points all\n"},
    {.missed = true,
     .verdict = MZ_VERDICT_PASS,
     .status = 0,
     .scope = "switches at synchronization",
     .text = "no bug: the only execution explored, complete for switches at synchronization; data races may be missed: "
             "see --points all\n"},
    {.unjudged = true,
     .hidden = true,
     .verdict = MZ_VERDICT_PASS,
     .status = 0,
     .scope = "what was observed, with switches at synchronization",
     .text =
         "no bug: the only execution explored, complete for what was observed, with switches at synchronization; data "
         "races were not looked for: see --points all\n"},
    {.reason = "a limit",
     .hidden = true,
     .unjudged = true,
     .verdict = MZ_VERDICT_INCOMPLETE,
     .status = 3,
     .text = "incomplete: a limit; no bug in 1 execution\n"},
    {.reason = "a limit",
     .failed = true,
     .verdict = MZ_VERDICT_INCOMPLETE,
     .status = 2,
     .text = "incomplete: a limit; no bug in 1 execution\n"},
    {.bugs = 2,
     .verdict = MZ_VERDICT_BUG,
     .status = 1,
     .scope = "everything",
     .text = "2 bugs found in 1 execution, complete\n"},
    {.bugs = 2,
     .failed = true,
     .verdict = MZ_VERDICT_BUG,
     .status = 1,
     .scope = "everything",
     .text = "2 bugs found in 1 execution, complete\n"},
    {.bugs = 1,
     .hidden = true,
     .verdict = MZ_VERDICT_BUG,
     .status = 1,
     .scope = "what was observed",
     .text = "1 bug found in 1 execution, complete for what was observed\n"},
    {.bugs = 1,
     .reason = "a limit",
     .verdict = MZ_VERDICT_BUG,
     .status = 1,
     .text = "1 bug found in 1 execution, incomplete: a limit\n"},
    {.reason = "p.c:1: broken",
     .broken = true,
     .verdict = MZ_VERDICT_ERROR,
     .status = 2,
     .text = "no verdict: p.c:1: broken\n"},
    {.bugs = 1,
     .reason = "p.c:1: broken",
     .broken = true,
     .verdict = MZ_VERDICT_BUG,
     .status = 1,
     .text = "1 bug found in 1 execution, p.c:1: broken\n"},
};

static void assert_conclusion(const struct conclusion *c)
{
	struct mz_result_hidden hidden = {.kind = "code", .calls = 1};
	struct mz_result_bug bugs[2] = {{.kind = MZ_FINDING_LEAK, .message = "x"},
	                                {.kind = MZ_FINDING_LEAK, .message = "y"}};
	struct mz_result result = {.version = "0", .program = argv_of_p, .strategy = "optimal", .points = "sync"};
	char expected[400] = "";
	result.executions = 1;
	result.reason = c->reason;
	result.broken = c->broken;
	result.plain_unjudged = c->unjudged;
	result.races_may_be_missed = c->missed;
	result.hidden = &hidden;
	result.nhidden = c->hidden;
	result.bugs = bugs;
	result.nbugs = c->bugs;
	mz_result_conclude(&result, c->bugs);
	assert_int_equal(result.verdict, c->verdict);
	assert_int_equal(result.complete, c->scope != NULL);
	assert_int_equal(mz_result_status(&result, c->failed), c->status);
	snprintf(expected, sizeof expected,
	         "\"verdict\": \"%s\", \"complete\": %s, \"complete_for\": %s%s%s, \"reason\": ",
	         mz_verdict_name(c->verdict), c->scope ? "true" : "false", c->scope ? "\"" : "",
	         c->scope ? c->scope : "null", c->scope ? "\"" : "");
	char *json = json_of(&result);
	assert_non_null(strstr(json, expected));
	free(json);
	snprintf(expected, sizeof expected, "%s%s%s%s", c->hidden ? "uncontrolled: code\n" : "", c->text,
	         c->bugs > 0 ? "  leak: x\n" : "", c->bugs > 1 ? "  leak: y\n" : "");
	assert_result(&result, expected);
}

static void what_is_said_agrees(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof conclusions / sizeof *conclusions; i++) assert_conclusion(&conclusions[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(json_of_a_pass),
	    cmocka_unit_test(json_of_a_bug),
	    cmocka_unit_test(json_has_no_odd_numbers),
	    cmocka_unit_test(json_write_errors_are_noticed),
	    cmocka_unit_test(utf8_is_told_from_what_is_not),
	    cmocka_unit_test(values_are_what_a_person_expects),
	    cmocka_unit_test(text_of_a_trace),
	    cmocka_unit_test(other_findings_are_short),
	    cmocka_unit_test(text_colours_what_matters),
	    cmocka_unit_test(long_executions_are_cut),
	    cmocka_unit_test(no_memory_is_said),
	    cmocka_unit_test(closing_lines),
	    cmocka_unit_test(what_is_said_agrees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
