/* SPDX-License-Identifier: MIT
 *
 * Reading the command line: the table of configuration/configuration.h says what options there are and what they take.
 */
#include "cli/options.h"
#include "engine/search.h"
#include "report/say.h"
#include "trace/fault.h"
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct mz_run_options, field)

/* The options that belong to the command and not to the configuration. They come last in --help. */
static const struct mz_option command_options[] = {
    {"--out", MZ_OPTION_TEXT, AT(reporting.out), "DIR", 0, 0, 0, NULL, "where traces go (default mazurka-out)"},
    {"--json", MZ_OPTION_TEXT, AT(reporting.json), "FILE", 0, 0, 0, NULL, "write the result as JSON"},
    {"--tests", MZ_OPTION_TEXT, AT(reporting.tests), "DIR", 0, 0, 0, NULL, "write the inputs of each explored path"},
    {"--resume", MZ_OPTION_TEXT, AT(reporting.resume), "DIR", 0, 0, 0, NULL,
     "keep the open work in DIR, and go on with what is there"},
    {"--cluster", MZ_OPTION_TEXT, AT(cluster), "URL", 0, 0, 0, NULL,
     "share the run with workers on other machines, by redis://host:port/name"},
    {"--lease", MZ_OPTION_SECONDS, AT(lease), "SECONDS", 0, 0, 0, NULL,
     "with --cluster: take a machine for dead that is silent for that long (default 10)"},
    {"--attach", MZ_OPTION_TEXT, AT(attach), "URL", 0, 0, 0, NULL,
     "show a run that goes on elsewhere, and do nothing else"},
    {"--quiet", MZ_OPTION_FLAG, AT(reporting.quiet), NULL, 0, 0, 0, NULL, "print nothing but errors"},
    {"--help", MZ_OPTION_FLAG, AT(help), NULL, 0, 0, 0, NULL, "print these lines"},
};
#define NCOMMAND (sizeof command_options / sizeof *command_options)

const struct mz_option *mz_run_option(size_t n)
{
	if (n < MZ_CONFIGURATION_LINES) return mz_configuration_option(n);
	n -= MZ_CONFIGURATION_LINES;
	return n < NCOMMAND ? &command_options[n] : NULL;
}

static bool is_of_command(const struct mz_option *option)
{
	return option >= command_options && option < command_options + NCOMMAND;
}

/* Returns where the value of an option goes. */
static void *field_of(struct mz_run_options *into, const struct mz_option *option)
{
	return (char *)(is_of_command(option) ? (void *)into : &into->configuration) + option->offset;
}

static const struct mz_option *find(const char *name, size_t length)
{
	const struct mz_option *option;
	for (size_t i = 0; (option = mz_run_option(i)); i++)
		if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) return option;
	return NULL;
}

/* ---- values ---- */

static int bad_value(const struct mz_option *option, const char *value, const char *wanted)
{
	mz_refuse("%s takes %s, not '%s'", option->name, wanted, value);
	return -1;
}

static int parse_number(const struct mz_option *option, const char *value, uint64_t *number_given)
{
	char *end;
	errno = 0;
	unsigned long long number = strtoull(value, &end, 10);
	bool digits = *value >= '0' && *value <= '9';
	if (!digits || *end || errno || number < option->least || number > option->most) {
		char wanted[64];
		snprintf(wanted, sizeof wanted,
		         option->most == UINT64_MAX ? "a whole number of at least %llu"
		                                    : "a whole number from %llu to %llu",
		         (unsigned long long)option->least, (unsigned long long)option->most);
		return bad_value(option, value, wanted);
	}
	*number_given = number;
	return 0;
}

static int set_number(const struct mz_option *option, void *field, const char *value)
{
	uint64_t number;
	if (parse_number(option, value, &number) != 0) return -1;
	if (option->kind == MZ_OPTION_NUMBER32)
		*(uint32_t *)field = (uint32_t)number;
	else
		*(uint64_t *)field = number;
	return 0;
}

/* Parses two numbers with a comma between them. */
static int set_pair(const struct mz_option *option, struct mz_argument_shape *field, const char *value)
{
	unsigned count, size;
	int end = -1;
	char wanted[64];
	bool good = sscanf(value, "%9u,%9u%n", &count, &size, &end) == 2 && !value[end] &&
	            !strpbrk(value, "+- \t\n\v\f\r") && count >= option->least && count <= option->most &&
	            size >= option->least && size <= option->most;
	snprintf(wanted, sizeof wanted, "two whole numbers from %llu to %llu, like 2,8",
	         (unsigned long long)option->least, (unsigned long long)option->most);
	if (!good) return bad_value(option, value, wanted);
	*field = (struct mz_argument_shape){count, size};
	return 0;
}

/* Parses a number of bytes, which may have K, M or G behind it. */
static int set_size(const struct mz_option *option, uint64_t *field, const char *value)
{
	static const char *const wanted = "a size like 100000, 64K, 500M or 2G";
	char *end;
	errno = 0;
	unsigned long long number = strtoull(value, &end, 10);
	unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
	if (shift) end++;
	bool digits = *value >= '0' && *value <= '9';
	if (!digits || *end || errno || number == 0 || number > SIZE_MAX >> shift)
		return bad_value(option, value, wanted);
	*field = (uint64_t)number << shift;
	return 0;
}

static int set_seconds(const struct mz_option *option, void *field, const char *value)
{
	char *end;
	double number = strtod(value, &end);
	if (end == value || *end || !isfinite(number) || number < 0)
		return bad_value(option, value, "a number of seconds");
	*(double *)field = number;
	return 0;
}

static int set_word(const struct mz_option *option, uint32_t *field, const char *value)
{
	uint32_t n;
	if (!mz_option_find_word(option, value, &n)) return bad_value(option, value, option->value);
	*field = n;
	return 0;
}

static const char *order_name(size_t n)
{
	return n < MZ_ORDER_COUNT ? mz_order_name((enum mz_order)n) : NULL;
}

static void list_names(const char *(*name)(size_t n), char *text, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; name(i) && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", name(i));
}

/* Finds the number of the name `value` in the list that `name` enumerates. */
static int find_name(const struct mz_option *option, const char *value, const char *(*name)(size_t n), uint32_t *found)
{
	for (size_t i = 0; name(i); i++) {
		if (strcmp(name(i), value) != 0) continue;
		*found = (uint32_t)i;
		return 0;
	}
	char names[256], wanted[300];
	list_names(name, names, sizeof names);
	snprintf(wanted, sizeof wanted, "one of %s", names);
	return bad_value(option, value, wanted);
}

static int set_strategy(const struct mz_option *option, char *field, const char *value)
{
	uint32_t n;
	if (find_name(option, value, mz_strategy_name, &n) != 0) return -1;
	snprintf(field, MZ_NAME_SIZE, "%s", value);
	return 0;
}

static int set_opt(const struct mz_option *option, uint32_t *field, const char *value)
{
	uint32_t n;
	if (find_name(option, value, mz_opt_name, &n) != 0) return -1;
	*field |= 1u << n;
	return 0;
}

static const char *fault_name(size_t n)
{
	return n < MZ_FAULT_COUNT ? mz_fault_name((enum mz_fault)n) : NULL;
}

static int set_faults(const struct mz_option *option, char *field, const char *value)
{
	uint64_t faults;
	char names[1024];
	const char *unknown = mz_faults_parse(value, &faults);
	if (!unknown && strlen(value) >= MZ_FAIL_SIZE) {
		mz_refuse("%s takes a list of at most %d characters: name each call once", option->name,
		          MZ_FAIL_SIZE - 1);
		return -1;
	}
	snprintf(field, MZ_FAIL_SIZE, "%s", value);
	if (!unknown) return 0;
	list_names(fault_name, names, sizeof names);
	mz_refuse("%s takes a list, separated by commas, of %s; there is no '%.*s'", option->name, names,
	          (int)strcspn(unknown, ","), unknown);
	return -1;
}

static int set(const struct mz_option *option, void *field, const char *value)
{
	switch (option->kind) {
	case MZ_OPTION_FLAG: *(uint32_t *)field = 1; return 0;
	case MZ_OPTION_UNFLAG: *(uint32_t *)field = 0; return 0;
	case MZ_OPTION_NUMBER:
	case MZ_OPTION_NUMBER32: return set_number(option, field, value);
	case MZ_OPTION_PAIR: return set_pair(option, field, value);
	case MZ_OPTION_SIZE: return set_size(option, field, value);
	case MZ_OPTION_SECONDS: return set_seconds(option, field, value);
	case MZ_OPTION_TEXT: *(const char **)field = value; return 0;
	case MZ_OPTION_WORD: return set_word(option, field, value);
	case MZ_OPTION_STRATEGY: return set_strategy(option, field, value);
	case MZ_OPTION_ORDER: return find_name(option, value, order_name, field);
	case MZ_OPTION_OPTS: return set_opt(option, field, value);
	case MZ_OPTION_FAULTS: return set_faults(option, field, value);
	}
	return -1;
}

/* ---- the command line ---- */

/* Parses the option at argv[*i], and moves *i on to its value if that is the next argument. */
static int parse_one(struct mz_run_options *into, char **argv, int *i)
{
	const char *word = argv[*i], *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);
	const struct mz_option *option = find(word, length);
	if (!option) {
		mz_refuse("unknown option '%.*s' (see mazurka run --help)", (int)length, word);
		return -1;
	}
	const char *value = equals ? equals + 1 : NULL;
	bool is_flag = !option->value;
	if (is_flag && value) {
		mz_refuse("%s takes no value", option->name);
		return -1;
	}
	if (!is_flag && !value) value = argv[++*i];
	if (!is_flag && !value) {
		mz_refuse("%s needs a value: %s", option->name, option->value);
		return -1;
	}
	return set(option, field_of(into, option), value);
}

int mz_run_options_parse(struct mz_run_options *into, int argc, char **argv)
{
	*into = (struct mz_run_options){.configuration = mz_configuration_default(), .lease = MZ_LEASE_DEFAULT};
	int i = 0;
	for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
		if (strcmp(argv[i], "--") == 0) {
			i++;
			break;
		}
		if (parse_one(into, argv, &i) != 0) return -1;
	}
	into->program = i < argc ? argv + i : NULL;
	return 0;
}

void mz_run_options_help(FILE *out)
{
	const struct mz_option *option;
	for (size_t i = 0; (option = mz_run_option(i)); i++) {
		char left[64];
		snprintf(left, sizeof left, "%s%s%s", option->name, option->value ? " " : "",
		         option->value ? option->value : "");
		fprintf(out, "  %-24s  %s\n", left, option->help);
	}
	char names[256];
	list_names(mz_strategy_name, names, sizeof names);
	fprintf(out, "Strategies: %s.\n", names);
	list_names(order_name, names, sizeof names);
	fprintf(out, "Orders: %s.\n", names);
	list_names(mz_opt_name, names, sizeof names);
	fprintf(out, "Optimisations: %s.\n", names);
	char faults[1024];
	list_names(fault_name, faults, sizeof faults);
	fprintf(out, "Calls that can fail: %s.\n", faults);
}
