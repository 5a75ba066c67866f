/* SPDX-License-Identifier: MIT
 *
 * One table says everything about the options: their names, what they take, where it goes, what --help says.
 */
#include "cli/options.h"
#include "cli/say.h"
#include "engine/search.h"
#include "explorer/session.h"
#include "trace/fault.h"
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum kind { FLAG, UNFLAG, COUNT, SIZE, SECONDS, TEXT, WORD, STRATEGY, ORDER, OPT, FAULTS };

struct option {
	const char *name;
	enum kind kind;
	size_t offset;
	const char *value; /* what it is called in --help; for WORD the words, separated by | */
	const char *help;
	uint64_t least, most; /* COUNT */
};

#define AT(field) offsetof(struct mz_run_options, field)

static const struct option options[] = {
    {"--strategy", STRATEGY, AT(strategy), "NAME", "how to search (default optimal)", 0, 0},
    {"--order", ORDER, AT(order), "NAME", "which branch to take first (default dfs)", 0, 0},
    {"--sleep", UNFLAG, AT(no_sleep), NULL, "with sleep sets, where the strategy has the choice (default)", 0, 0},
    {"--no-sleep", FLAG, AT(no_sleep), NULL, "without them", 0, 0},
    {"--no-opt", OPT, AT(no_opt), "NAME", "without this optimisation, where the strategy has it", 0, 0},
    {"--preemptions", COUNT, AT(preemptions), "K", "explore only what has at most K preemptions", 0, 1000000},
    {"--iterate", FLAG, AT(iterate), NULL, "raise that bound from 0 until it leaves nothing out, or to K", 0, 0},
    {"--fair", COUNT, AT(fair), "K", "and where nobody who goes is more than K yields ahead", 0, 1000000},
    {"--delays", COUNT, AT(delays), "D", "and what departs from a fixed scheduler at most D times", 0, 1000000},
    {"--max-depth", COUNT, AT(max_depth), "N", "and what has at most N steps", 1, 100000000},
    {"--prefixes", FLAG, AT(prefixes), NULL, "cbpor: visit every state on the way, not only complete executions", 0, 0},
    {"--seed", COUNT, AT(seed), "N", "for random strategies, and for the random numbers the program gets (default 1)",
     0, UINT64_MAX},
    {"--depth", COUNT, AT(depth), "D", "for pct: the depth of bugs it promises to find (default 3)", 1, 1000},
    {"--points", WORD, AT(points), "sync|all",
     "switch threads at synchronization, or at every access (default sync; of states all)", 0, 0},
    {"--no-races", FLAG, AT(no_races), NULL, "do not report data races", 0, 0},
    {"--volatile", WORD, AT(volatiles), "plain|atomic",
     "what accesses to volatile objects are to data races (default plain)", 0, 0},
    {"--no-spin", FLAG, AT(no_spin), NULL, "let threads that spin go round, instead of waiting for a change", 0, 0},
    {"--isolation", WORD, AT(isolation), "image|process",
     "start over by restoring memory, or with a fresh process for every execution (default image)", 0, 0},
    {"--heap", WORD, AT(heap), "fresh|reuse",
     "never hand out freed memory again within an execution (default), or the last freed first", 0, 0},
    {"--leaks", FLAG, AT(leaks), NULL, "report memory that nobody knows of when the program ends", 0, 0},
    {"--thread-leaks", FLAG, AT(thread_leaks), NULL, "and threads that are neither joined nor detached then", 0, 0},
    {"--fail", FAULTS, AT(fail), "LIST", "also explore what happens when these calls fail", 0, 0},
    {"--max-faults", COUNT, AT(max_faults), "N", "of each thread, at most N of them", 1, UINT32_MAX},
    {"--checkpoints", WORD, AT(checkpoints), "auto|always|never",
     "go on from states in the middle of executions where that is quicker (default auto)", 0, 0},
    {"--no-checkpoints", FLAG, AT(no_checkpoints), NULL, "the same as --checkpoints never", 0, 0},
    {"--exact-states", FLAG, AT(exact_states), NULL, "compare states byte by byte, not by hashes of 128 bits", 0, 0},
    {"--jobs", COUNT, AT(jobs), "N", "search states in N processes (default 1)", 1, 64},
    {"--max-executions", COUNT, AT(max_executions), "N", "stop after N executions", 1, UINT64_MAX},
    {"--max-steps", COUNT, AT(max_steps), "N", "end an execution after N steps (default 100000)", 1, MZ_SESSION_STEPS},
    {"--max-memory", SIZE, AT(max_memory), "SIZE",
     "for known states, remembered graphs or checkpoints: bytes, or like 500M", 0, 0},
    {"--timeout", SECONDS, AT(timeout), "SECONDS", "stop after that time", 0, 0},
    {"--stall-timeout", SECONDS, AT(stall_timeout), "SECONDS",
     "give up when no step is made for that long (default 10)", 0, 0},
    {"--keep-going", FLAG, AT(keep_going), NULL, "go on after a bug and report each distinct one", 0, 0},
    {"--count-traces", FLAG, AT(count_traces), NULL, "count the distinct happens-before graphs", 0, 0},
    {"--out", TEXT, AT(out), "DIR", "where traces go (default mazurka-out)", 0, 0},
    {"--json", TEXT, AT(json), "FILE", "write the result as JSON", 0, 0},
    {"--quiet", FLAG, AT(quiet), NULL, "print nothing but errors", 0, 0},
    {"--help", FLAG, AT(help), NULL, "print this", 0, 0},
};
#define NOPTIONS (sizeof options / sizeof *options)

static const struct option *find(const char *name, size_t length)
{
	for (size_t i = 0; i < NOPTIONS; i++)
		if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0)
			return &options[i];
	return NULL;
}

/* ---- values ---- */

static int bad_value(const struct option *option, const char *value, const char *wanted)
{
	mz_refuse("%s takes %s, not '%s'", option->name, wanted, value);
	return -1;
}

static int set_count(const struct option *option, void *field, const char *value)
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
	*(uint64_t *)field = number;
	return 0;
}

/* Bytes, or with a letter behind: K, M, G. */
static int set_size(const struct option *option, uint64_t *field, const char *value)
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

static int set_seconds(const struct option *option, void *field, const char *value)
{
	char *end;
	double number = strtod(value, &end);
	if (end == value || *end || !isfinite(number) || number < 0)
		return bad_value(option, value, "a number of seconds");
	*(double *)field = number;
	return 0;
}

static bool is_word(const char *words, const char *value)
{
	size_t length = strlen(value);
	while (length) {
		size_t word = strcspn(words, "|");
		if (word == length && strncmp(words, value, length) == 0) return true;
		if (!words[word]) break;
		words += word + 1;
	}
	return false;
}

static int set_word(const struct option *option, const char **field, const char *value)
{
	if (!is_word(option->value, value)) return bad_value(option, value, option->value);
	*field = value;
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

/* One of the names that `name` lists. */
static int set_name(const struct option *option, const char **field, const char *value, const char *(*name)(size_t n))
{
	for (size_t i = 0; name(i); i++) {
		if (strcmp(name(i), value) != 0) continue;
		*field = value;
		return 0;
	}
	char names[256], wanted[300];
	list_names(name, names, sizeof names);
	snprintf(wanted, sizeof wanted, "one of %s", names);
	return bad_value(option, value, wanted);
}

static int set_opt(const struct option *option, unsigned *field, const char *value)
{
	const char *name = NULL;
	if (set_name(option, &name, value, mz_opt_name) != 0) return -1;
	for (size_t i = 0; mz_opt_name(i); i++)
		if (strcmp(mz_opt_name(i), name) == 0) *field |= 1u << i;
	return 0;
}

static const char *fault_name(size_t n)
{
	return n < MZ_FAULT_COUNT ? mz_fault_name((enum mz_fault)n) : NULL;
}

static int set_faults(const struct option *option, const char **field, const char *value)
{
	uint64_t faults;
	char names[1024];
	const char *unknown = mz_faults_parse(value, &faults);
	*field = value;
	if (!unknown) return 0;
	list_names(fault_name, names, sizeof names);
	mz_refuse("%s takes a list, separated by commas, of %s; there is no '%.*s'", option->name, names,
	          (int)strcspn(unknown, ","), unknown);
	return -1;
}

static int set(const struct option *option, struct mz_run_options *into, const char *value)
{
	void *field = (char *)into + option->offset;
	switch (option->kind) {
	case FLAG: *(bool *)field = true; return 0;
	case UNFLAG: *(bool *)field = false; return 0;
	case COUNT: return set_count(option, field, value);
	case SIZE: return set_size(option, field, value);
	case SECONDS: return set_seconds(option, field, value);
	case TEXT: *(const char **)field = value; return 0;
	case WORD: return set_word(option, field, value);
	case STRATEGY: return set_name(option, field, value, mz_strategy_name);
	case ORDER: return set_name(option, field, value, order_name);
	case OPT: return set_opt(option, field, value);
	case FAULTS: return set_faults(option, field, value);
	}
	return -1;
}

/* ---- the command line ---- */

/* One option at argv[*i]; advances past its value. */
static int parse_one(struct mz_run_options *into, char **argv, int *i)
{
	const char *word = argv[*i], *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);
	const struct option *option = find(word, length);
	if (!option) {
		mz_refuse("unknown option '%.*s' (see mazurka run --help)", (int)length, word);
		return -1;
	}
	const char *value = equals ? equals + 1 : NULL;
	bool is_flag = option->kind == FLAG || option->kind == UNFLAG;
	if (is_flag && value) {
		mz_refuse("%s takes no value", option->name);
		return -1;
	}
	if (!is_flag && !value) value = argv[++*i];
	if (!is_flag && !value) {
		mz_refuse("%s needs a value: %s", option->name, option->value);
		return -1;
	}
	return set(option, into, value);
}

int mz_run_options_parse(struct mz_run_options *into, int argc, char **argv)
{
	*into = mz_run_options_default();
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
	for (size_t i = 0; i < NOPTIONS; i++) {
		char left[64];
		snprintf(left, sizeof left, "%s%s%s", options[i].name, options[i].value ? " " : "",
		         options[i].value ? options[i].value : "");
		fprintf(out, "  %-24s  %s\n", left, options[i].help);
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
