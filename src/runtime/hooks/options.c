/* SPDX-License-Identifier: MIT
 *
 * getopt and its kin, as the C library has them, but that how far they have come is kept where it is restored
 * (library.h). The variables are the C library's.
 *
 * Arguments that are no options are passed over and moved behind the options: [first, last) are those that were passed
 * over and not moved yet. With '+' as the first character of the short options, or POSIXLY_CORRECT, the first such
 * argument is the end of all options; with '-' each counts as the argument of an option 1.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __posix_getopt(int argc, char *const *argv, const char *shorts);

/* A call of getopt or one of its kin. */
struct call {
	int argc;
	char **argv;
	const char *shorts;         /* the short options, without the leading '+' or '-' */
	const struct option *longs; /* the long options, or NULL */
	int *index;                 /* where the index of the long option found is stored, or NULL */
	bool only_long;             /* long options may begin with one dash (getopt_long_only) */
	bool says;                  /* errors are printed to standard error */
};

static struct mz_options_state *state(void)
{
	return &mz_library.options;
}

static int wrong(const struct call *call, int option)
{
	state()->wrong = option;
	return *call->shorts == ':' ? ':' : '?';
}

#define SAY(call, ...)                                                                                                 \
	do {                                                                                                           \
		if ((call)->says) fprintf(stderr, __VA_ARGS__);                                                        \
	} while (0)

/* ---- arguments that are no options ---- */

static bool is_option(const char *argument)
{
	return argument[0] == '-' && argument[1];
}

/* Moves [first, last) behind the options up to optind. */
static void move_behind(char **argv)
{
	int options = optind - state()->last;
	for (int i = 0; i < options; i++) {
		char *option = argv[state()->last + i];
		int place = state()->first + i;
		MZ_REAL(memmove)(argv + place + 1, argv + place, (size_t)(state()->last + i - place) * sizeof *argv);
		argv[place] = option;
	}
	state()->first += options;
	state()->last = optind;
}

static void permute_operands(char **argv)
{
	if (state()->first != state()->last && state()->last != optind)
		move_behind(argv);
	else if (state()->last != optind)
		state()->first = optind;
}

static void begin_scan(struct call *call, bool posix)
{
	struct mz_options_state *own = state();
	if (optind == 0 || !own->begun) {
		if (optind == 0) optind = 1;
		*own = (struct mz_options_state){.begun = true, .wrong = own->wrong, .first = optind, .last = optind};
		if (*call->shorts == '-' || *call->shorts == '+')
			own->order = *call->shorts;
		else if (posix || MZ_REAL(getenv)("POSIXLY_CORRECT"))
			own->order = '+';
	}
	if (*call->shorts == '-' || *call->shorts == '+') call->shorts++;
	if (*call->shorts == ':') call->says = false;
}

/* Finds the next option. Returns 0, or what the call has to return if there is none. */
static int find_option(const struct call *call)
{
	struct mz_options_state *own = state();
	if (own->last > optind) own->last = optind;
	if (own->first > optind) own->first = optind;
	if (!own->order) {
		permute_operands(call->argv);
		while (optind < call->argc && !is_option(call->argv[optind])) optind++;
		own->last = optind;
	}
	if (optind != call->argc && strcmp(call->argv[optind], "--") == 0) {
		optind++;
		if (own->first != own->last && own->last != optind)
			move_behind(call->argv);
		else if (own->first == own->last)
			own->first = optind;
		own->last = optind = call->argc;
	}
	if (optind == call->argc) {
		if (own->first != own->last) optind = own->first;
		return -1;
	}
	if (is_option(call->argv[optind])) return 0;
	if (own->order == '+') return -1;
	optarg = call->argv[optind++];
	return 1;
}

/* ---- long options ---- */

static bool differ(const struct option *a, const struct option *b)
{
	return a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

static void say_ambiguous(const struct call *call, size_t length, const char *prefix)
{
	SAY(call, "%s: option '%s%s' is ambiguous; possibilities:", call->argv[0], prefix, state()->next);
	for (const struct option *each = call->longs; each->name; each++)
		if (strncmp(each->name, state()->next, length) == 0) SAY(call, " '%s%s'", prefix, each->name);
	SAY(call, "\n");
}

/* Returns the long option of that name, or the only one that begins with it; NULL, with *AMBIGUOUS set, if several
 * do. */
static const struct option *find_long(const struct call *call, size_t length, bool *ambiguous)
{
	const struct option *found = NULL;
	for (const struct option *each = call->longs; each->name; each++) {
		if (strncmp(each->name, state()->next, length) != 0) continue;
		if (strlen(each->name) == length) {
			*ambiguous = false;
			return each;
		}
		if (!found)
			found = each;
		else if (call->only_long || differ(found, each))
			*ambiguous = true;
	}
	return *ambiguous ? NULL : found;
}

static int end_long(const struct call *call, const struct option *found, const char *value, const char *prefix)
{
	optind++;
	state()->next = NULL;
	if (value && !found->has_arg) {
		SAY(call, "%s: option '%s%s' doesn't allow an argument\n", call->argv[0], prefix, found->name);
		state()->wrong = found->val;
		return '?';
	}
	if (value) {
		optarg = (char *)value;
	} else if (found->has_arg == required_argument) {
		if (optind >= call->argc) {
			SAY(call, "%s: option '%s%s' requires an argument\n", call->argv[0], prefix, found->name);
			return wrong(call, found->val);
		}
		optarg = call->argv[optind++];
	}
	if (call->index) *call->index = (int)(found - call->longs);
	if (!found->flag) return found->val;
	*found->flag = found->val;
	return 0;
}

/* Handles a long option. Returns what the call has to return; -1 if the option is a short one after all. */
static int take_long(const struct call *call, bool only, const char *prefix)
{
	size_t length = strcspn(state()->next, "=");
	bool ambiguous = false;
	const struct option *found = find_long(call, length, &ambiguous);
	if (found) return end_long(call, found, state()->next[length] ? state()->next + length + 1 : NULL, prefix);
	if (ambiguous) {
		say_ambiguous(call, length, prefix);
	} else {
		if (only && call->argv[optind][1] != '-' && strchr(call->shorts, *state()->next)) return -1;
		SAY(call, "%s: unrecognized option '%s%s'\n", call->argv[0], prefix, state()->next);
	}
	state()->next = NULL;
	optind++;
	state()->wrong = 0;
	return '?';
}

/* ---- short options ---- */

/* Takes the argument of an option: what follows it in the same word, or the next word. Returns false if there is
 * none. */
static bool take_argument(const struct call *call, bool optional)
{
	bool found = true;
	if (*state()->next) {
		optarg = state()->next;
		optind++;
	} else if (!optional) {
		found = optind < call->argc;
		if (found) optarg = call->argv[optind++];
	}
	state()->next = NULL;
	return found;
}

static int need_argument(const struct call *call, char option)
{
	SAY(call, "%s: option requires an argument -- '%c'\n", call->argv[0], option);
	return wrong(call, option);
}

/* "-W name" is "--name". */
static int take_w(const struct call *call)
{
	if (!*state()->next && optind == call->argc) return need_argument(call, 'W');
	if (!*state()->next) state()->next = call->argv[optind];
	return take_long(call, false, "-W ");
}

static int take_short(const struct call *call)
{
	const char option = *state()->next++;
	const char *known = strchr(call->shorts, option);
	if (!*state()->next) optind++;
	if (!known || option == ':' || option == ';') {
		SAY(call, "%s: invalid option -- '%c'\n", call->argv[0], option);
		state()->wrong = option; /* NOLINT(bugprone-signed-char-misuse): as the C library has it */
		return '?';
	}
	if (known[0] == 'W' && known[1] == ';' && call->longs) return take_w(call);
	if (known[1] == ':' && !take_argument(call, known[2] == ':')) return need_argument(call, option);
	return option;
}

/* ---- calls ---- */

static int next_option(struct call *call, bool posix)
{
	if (call->argc < 1) return -1;
	optarg = NULL;
	begin_scan(call, posix);
	if (!state()->next || !*state()->next) {
		int none = find_option(call);
		if (none) return none;
		const char *argument = call->argv[optind];
		if (call->longs && argument[1] == '-') {
			state()->next = call->argv[optind] + 2;
			return take_long(call, call->only_long, "--");
		}
		state()->next = call->argv[optind] + 1;
		if (call->longs && call->only_long && (argument[2] || !strchr(call->shorts, argument[1]))) {
			int code = take_long(call, true, "-");
			if (code != -1) return code;
		}
	}
	return take_short(call);
}

/* All calls access one state, of which optind is part: for data races, two calls conflict. */
static int take_option(struct call call, bool posix, uintptr_t caller)
{
	if (mz_current) {
		mz_spin_forget(mz_current);
		mz_plain(mz_current, (uintptr_t)&optind, sizeof optind, true, caller);
	}
	call.says = opterr;
	int option = next_option(&call, posix);
	optopt = state()->wrong;
	return option;
}

MZ_EXPORT int getopt(int argc, char *const *argv, const char *shorts)
{
	if (!MZ_IS_KEPT()) return MZ_REAL(getopt)(argc, argv, shorts);
	return take_option((struct call){.argc = argc, .argv = (char **)argv, .shorts = shorts}, false, MZ_CALLER());
}

MZ_EXPORT int __posix_getopt(int argc, char *const *argv, const char *shorts)
{
	if (!MZ_IS_KEPT()) return MZ_REAL(__posix_getopt)(argc, argv, shorts);
	return take_option((struct call){.argc = argc, .argv = (char **)argv, .shorts = shorts}, true, MZ_CALLER());
}

#define LONG(name, only)                                                                                               \
	MZ_EXPORT int name(int argc, char *const *argv, const char *shorts, const struct option *longs, int *index)    \
	{                                                                                                              \
		if (!MZ_IS_KEPT()) return MZ_REAL(name)(argc, argv, shorts, longs, index);                             \
		const struct call call = {argc, (char **)argv, shorts, longs, index, only, false};                     \
		return take_option(call, false, MZ_CALLER());                                                          \
	}
LONG(getopt_long, false)
LONG(getopt_long_only, true)
