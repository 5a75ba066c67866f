/* SPDX-License-Identifier: MIT
 *
 * The table of options: each is parsed into its field and no other, is written to a trace and read back if it has a
 * key, and is in --help and in the manual page, whose path is the argument.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "campaign/configure.h"
#include "cli/options.h"
#include "engine/search.h"
#include "trace/fault.h"
#include "trace/trace.h"
#include <stdlib.h>
#include <string.h>

static const char *manual;

#define EACH_OPTION(option)                                                                                            \
	const struct mz_option *option = NULL;                                                                         \
	for (size_t n_##option = 0; ((option) = mz_run_option(n_##option)); n_##option++)

static bool is_configured(const struct mz_option *option)
{
	const struct mz_option *each;
	for (size_t n = 0; (each = mz_configuration_option(n)); n++)
		if (each == option) return true;
	return false;
}

static size_t size_of(enum mz_option_kind kind)
{
	switch (kind) {
	case MZ_OPTION_NUMBER:
	case MZ_OPTION_SIZE: return sizeof(uint64_t);
	case MZ_OPTION_PAIR: return sizeof(struct mz_argument_shape);
	case MZ_OPTION_SECONDS: return sizeof(double);
	case MZ_OPTION_STRATEGY: return MZ_NAME_SIZE;
	case MZ_OPTION_FAULTS: return MZ_FAIL_SIZE;
	case MZ_OPTION_TEXT: return sizeof(char *);
	default: return sizeof(uint32_t);
	}
}

static void assert_same(const struct mz_configuration *a, const struct mz_configuration *b)
{
	const struct mz_option *option;
	for (size_t n = 0; (option = mz_configuration_option(n)); n++)
		assert_memory_equal((const char *)a + option->offset, (const char *)b + option->offset,
		                    size_of(option->kind));
	assert_true(a->faults == b->faults && a->livelocks == b->livelocks);
}

/* A number that an option takes, and that is the default of none. */
static uint64_t number_for(const struct mz_option *option)
{
	return option->least > 7 ? option->least : 7;
}

/* Returns a value that is not the default, or NULL if the option takes none. */
static const char *value_for(const struct mz_option *option, char text[MZ_NAME_SIZE])
{
	uint32_t last = 0;
	switch (option->kind) {
	case MZ_OPTION_FLAG:
	case MZ_OPTION_UNFLAG: return NULL;
	case MZ_OPTION_NUMBER:
	case MZ_OPTION_NUMBER32: snprintf(text, MZ_NAME_SIZE, "%ju", (uintmax_t)number_for(option)); return text;
	case MZ_OPTION_PAIR: return "7,9";
	case MZ_OPTION_SIZE: return "3K";
	case MZ_OPTION_SECONDS: return "2.5";
	case MZ_OPTION_WORD:
		while (mz_option_word(option, last, text)) last++;
		assert_true(last >= 2);
		return text;
	case MZ_OPTION_STRATEGY: return mz_strategy_name(1);
	case MZ_OPTION_ORDER: return mz_order_name(1);
	case MZ_OPTION_OPTS: return mz_opt_name(1);
	case MZ_OPTION_FAULTS: return "open,malloc";
	case MZ_OPTION_TEXT: return "somewhere";
	}
	return NULL;
}

/* What the field holds after value_for() was given. */
static void assert_value(const struct mz_option *option, const void *field)
{
	uint32_t number = 0;
	double seconds;
	if (size_of(option->kind) == sizeof number) memcpy(&number, field, sizeof number);
	switch (option->kind) {
	case MZ_OPTION_FLAG: assert_int_equal(number, 1); return;
	case MZ_OPTION_UNFLAG: assert_int_equal(number, 0); return;
	case MZ_OPTION_NUMBER: assert_true(*(const uint64_t *)field == number_for(option)); return;
	case MZ_OPTION_NUMBER32: assert_int_equal(number, number_for(option)); return;
	case MZ_OPTION_PAIR:
		assert_memory_equal(field, (&(struct mz_argument_shape){7, 9}), sizeof(struct mz_argument_shape));
		return;
	case MZ_OPTION_SIZE: assert_true(*(const uint64_t *)field == 3 << 10); return;
	case MZ_OPTION_SECONDS:
		memcpy(&seconds, field, sizeof seconds);
		assert_true(seconds == 2.5);
		return;
	case MZ_OPTION_ORDER:
	case MZ_OPTION_WORD: assert_true(number >= 1); return;
	case MZ_OPTION_OPTS: assert_int_equal(number, 2); return;
	case MZ_OPTION_STRATEGY: assert_string_equal(field, mz_strategy_name(1)); return;
	case MZ_OPTION_FAULTS: assert_string_equal(field, "open,malloc"); return;
	case MZ_OPTION_TEXT: assert_string_equal(*(char *const *)field, "somewhere"); return;
	}
}

static struct mz_run_options parse(const struct mz_option *option)
{
	char text[MZ_NAME_SIZE], *arguments[3] = {(char *)option->name};
	struct mz_run_options options;
	arguments[1] = (char *)value_for(option, text);
	assert_true(!arguments[1] == !option->value);
	assert_int_equal(mz_run_options_parse(&options, option->value ? 2 : 1, arguments), 0);
	return options;
}

static void each_option_sets_its_field_and_no_other(void **state)
{
	(void)state;
	size_t checked = 0;
	EACH_OPTION(option)
	{
		struct mz_run_options options = parse(option), untouched;
		assert_int_equal(mz_run_options_parse(&untouched, 0, NULL), 0);
		char *base = is_configured(option) ? (char *)&options.configuration : (char *)&options;
		char *from = is_configured(option) ? (char *)&untouched.configuration : (char *)&untouched;
		assert_value(option, base + option->offset);
		memcpy(base + option->offset, from + option->offset, size_of(option->kind));
		assert_same(&options.configuration, &untouched.configuration);
		assert_ptr_equal(options.reporting.out, untouched.reporting.out);
		assert_ptr_equal(options.reporting.json, untouched.reporting.json);
		assert_int_equal(options.reporting.quiet, untouched.reporting.quiet);
		assert_int_equal(options.help, untouched.help);
		checked++;
	}
	assert_true(checked > 30);
}

/* ---- traces ---- */

static void write_and_read(const struct mz_configuration *configuration, struct mz_trace *back)
{
	char *text = NULL, error[256] = "", *program[] = {"p", NULL};
	size_t size;
	struct mz_trace trace = {.configuration = *configuration};
	FILE *file = open_memstream(&text, &size);
	assert_int_equal(mz_trace_set_program(&trace, program), 0);
	assert_int_equal(mz_trace_write(&trace, file), 0);
	fclose(file);
	file = fmemopen(text, size, "r");
	assert_int_equal(mz_trace_read(back, file, error, sizeof error), 0);
	assert_string_equal(error, "");
	fclose(file);
	free(text);
	mz_trace_release(&trace);
}

/* Reports whether a trace has the option in its line of limits, which is there if one is not the default. */
static bool is_in_limits(const struct mz_option *option)
{
	return strcmp(option->name, "--max-threads") == 0 || strcmp(option->name, "--max-expirations") == 0;
}

static void each_option_with_a_key_is_kept_in_a_trace(void **state)
{
	(void)state;
	size_t kept = 0;
	EACH_OPTION(option)
	{
		if (!is_configured(option)) continue;
		struct mz_run_options options = parse(option);
		struct mz_configuration *given = &options.configuration;
		struct mz_configuration expected = mz_configuration_default();
		struct mz_trace back;
		if (given->points == MZ_POINTS_UNSAID) given->points = MZ_POINTS_SYNC;
		expected.points = MZ_POINTS_SYNC;
		if (given->max_faults) { /* a limit on what may fail is written only where something may */
			strcpy(given->fail, "malloc");
			strcpy(expected.fail, "malloc");
		}
		if (option->key || is_in_limits(option))
			memcpy((char *)&expected + option->offset, (char *)given + option->offset,
			       size_of(option->kind));
		write_and_read(given, &back);
		assert_same(&back.configuration, &expected);
		mz_trace_release(&back);
		kept += option->key != NULL;
	}
	assert_int_equal(kept, 11);
}

static void what_is_in_no_list_is_not_written(void **state)
{
	(void)state;
	char *program[] = {"p", NULL};
	struct mz_trace trace = {.configuration = mz_configuration_default()};
	FILE *out = fopen("/dev/null", "w");
	assert_int_equal(mz_trace_set_program(&trace, program), 0);
	assert_int_equal(mz_trace_write(&trace, out), -1); /* where threads may switch was not said */
	trace.configuration.points = MZ_POINTS_ALL;
	assert_int_equal(mz_trace_write(&trace, out), 0);
	trace.configuration.heap = 2;
	assert_int_equal(mz_trace_write(&trace, out), -1);
	fclose(out);
	mz_trace_release(&trace);
}

/* ---- the table ---- */

static void names_and_places_are_unique(void **state)
{
	(void)state;
	unsigned kept = 0;
	EACH_OPTION(option)
	{
		size_t same = 0;
		EACH_OPTION(other) same += strcmp(option->name, other->name) == 0;
		assert_int_equal(same, 1);
		kept += option->key != NULL;
		if (option->key) assert_ptr_equal(mz_configuration_kept(option->place), option);
	}
	for (unsigned place = 1; place <= kept; place++) assert_non_null(mz_configuration_kept(place));
	assert_null(mz_configuration_kept(kept + 1));
	assert_true(*mz_configuration_kept(1)->key);
}

static char *read_manual(void)
{
	static char text[1 << 18];
	FILE *in = fopen(manual, "r");
	assert_non_null(in);
	size_t size = fread(text, 1, sizeof text - 1, in);
	fclose(in);
	text[size] = 0;
	return text;
}

/* Whether a word of the text is the name: nothing that could go on with it follows. */
static bool has_name(const char *text, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = text; (at = strstr(at, name)); at += length)
		if (!strchr("abcdefghijklmnopqrstuvwxyz-\\", at[length]) || !at[length]) return true;
	return false;
}

static void each_option_is_documented(void **state)
{
	(void)state;
	char *help = NULL;
	const char *page = read_manual();
	size_t size;
	FILE *out = open_memstream(&help, &size);
	mz_run_options_help(out);
	fclose(out);
	EACH_OPTION(option)
	{
		char roff[64] = "", *end = roff;
		for (const char *c = option->name; *c; c++) end += sprintf(end, *c == '-' ? "\\-" : "%c", *c);
		if (!has_name(help, option->name) || !has_name(page, roff)) fail_msg("%s", option->name);
		assert_non_null(strstr(help, option->help));
	}
	free(help);
}

/* ---- what depends on other options ---- */

static struct mz_configuration complete(const char *strategy)
{
	struct mz_configuration c = mz_configuration_default();
	strcpy(c.strategy, strategy);
	mz_configuration_complete(&c);
	return c;
}

static void what_is_left_open_is_derived(void **state)
{
	(void)state;
	struct mz_configuration c = complete("optimal");
	assert_int_equal(c.points, MZ_POINTS_SYNC);
	assert_true(!c.livelocks && !c.max_executions && !c.faults);
	c = complete("states");
	assert_int_equal(c.points, MZ_POINTS_ALL);
	assert_true(c.livelocks && !c.max_executions);
	c = complete("random");
	assert_true(c.max_executions > 0 && !c.livelocks);
}

static void what_is_given_stays(void **state)
{
	(void)state;
	struct mz_configuration c = mz_configuration_default(), before;
	strcpy(c.strategy, "random");
	strcpy(c.fail, "open,malloc");
	c.timeout = 3;
	c.points = MZ_POINTS_ALL;
	c.fair = 2;
	c.max_faults = 1;
	c.isolation = MZ_ISOLATION_PROCESS;
	c.checkpoints = MZ_CHECKPOINTS_ALWAYS;
	mz_configuration_complete(&c);
	assert_int_equal(c.points, MZ_POINTS_ALL);
	assert_true(c.max_executions == 0 && c.livelocks && c.max_faults == 1);
	assert_true(c.faults == (1U << MZ_FAULT_OPEN | 1U << MZ_FAULT_MALLOC));
	assert_int_equal(c.checkpoints, MZ_CHECKPOINTS_NEVER);
	before = c;
	mz_configuration_complete(&c);
	assert_same(&c, &before);
}

/* A limit on failures means nothing where nothing fails: a trace would not be written with it. */
static void a_limit_without_failures_is_none(void **state)
{
	(void)state;
	struct mz_configuration c = mz_configuration_default();
	c.max_faults = 3;
	mz_configuration_complete(&c);
	assert_int_equal(c.max_faults, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_option_sets_its_field_and_no_other),
	    cmocka_unit_test(each_option_with_a_key_is_kept_in_a_trace),
	    cmocka_unit_test(what_is_in_no_list_is_not_written),
	    cmocka_unit_test(names_and_places_are_unique),
	    cmocka_unit_test(each_option_is_documented),
	    cmocka_unit_test(what_is_left_open_is_derived),
	    cmocka_unit_test(what_is_given_stays),
	    cmocka_unit_test(a_limit_without_failures_is_none),
	};
	manual = argc > 1 ? argv[1] : "docs/mazurka.1";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
