/* SPDX-License-Identifier: MIT
 *
 * getopt and its kin. What they do is left to them: before a call, a model branches on everything that the call can
 * look at, and what they return follows from that. Arguments of options are not looked at.
 */
#include "concolic/models/models.h"
#include <getopt.h>
#include <stdbool.h>

int MODEL(getopt)(int argc, char *const *argv, const char *shorts);
int MODEL(__posix_getopt)(int argc, char *const *argv, const char *shorts);
int MODEL(getopt_long)(int argc, char *const *argv, const char *shorts, const struct option *longs, int *index);
int MODEL(getopt_long_only)(int argc, char *const *argv, const char *shorts, const struct option *longs, int *index);

int __posix_getopt(int argc, char *const *argv, const char *shorts);

/* The letters of a cluster that are no options. */
struct unknown {
	int count;
	const char *letter; /* the last of them */
};

/* Finds a letter among the short options; returns what follows there, or NULL. */
static const char *find_short(const char *shorts, int letter)
{
	if (letter == ':' || letter == ';') return NULL;
	for (; *shorts; shorts++)
		if (*shorts == letter) return shorts + 1;
	return NULL;
}

/* Decides which options the letters of a cluster are, up to the first that takes an argument, and whether that follows
 * at once. */
static struct unknown decide_cluster(const char *letter, const char *shorts)
{
	struct unknown unknown = {0, NULL};
	while (*letter) {
		const char *found = find_short(shorts, *letter);
		if (!found) unknown = (struct unknown){unknown.count + 1, letter};
		letter++;
		if (found && *found == ':' && *letter) break;
	}
	return unknown;
}

/* Decides how much of the name of a long option there is. */
static void decide_name(const char *text, const char *name)
{
	while (*text && *text != '=' && *text == *name) text++, name++;
}

struct call {
	int argc;
	char *const *argv;
	const char *shorts;
	const struct option *longs; /* or NULL */
	bool only_long;             /* long options may begin with one dash */
	struct unknown unknown;
};

/* Decides about the argument; reports whether it has options. */
static bool decide(struct call *call, const char *argument)
{
	if (argument[0] != '-' || !argument[1]) return false;
	bool dashes = argument[1] == '-';
	if (dashes && !argument[2]) return true;
	if (!call->longs || !dashes) call->unknown = decide_cluster(argument + 1, call->shorts);
	if (call->longs && (dashes || call->only_long))
		for (const struct option *each = call->longs; each->name; each++)
			decide_name(argument + 1 + dashes, each->name);
	return true;
}

/* Looks at what comes before the first option, and at that: a call gets no further. */
static void begin(struct call *call)
{
	int i = optind > 0 ? optind : 1;
	optopt = 0; /* the C library will write over it, and the shadow of what was there ends */
	if (CONCRETE) return;
	while (i < call->argc && call->argv[i] && !decide(call, call->argv[i])) i++;
}

/* The letter that is no option depends on inputs, as far as it is known which it was; a call that finds an option leaves
 * it as it was. */
static int end(const struct call *call, int result)
{
	static int last;
	if (result == '?' || result == ':') last = optopt;
	if (call->unknown.count == 1 && result == '?' && optopt && !find_short(call->shorts, optopt))
		last = *call->unknown.letter; /* NOLINT(bugprone-signed-char-misuse): as the C library has it */
	optopt = last;
	return result;
}

#define SHORT(name)                                                                                                    \
	int MODEL(name)(int argc, char *const *argv, const char *shorts)                                               \
	{                                                                                                              \
		struct call call = {argc, argv, shorts, NULL, false, {0, NULL}};                                       \
		begin(&call);                                                                                          \
		return end(&call, name(argc, argv, shorts));                                                           \
	}

#define LONG(name, only_long)                                                                                          \
	int MODEL(name)(int argc, char *const *argv, const char *shorts, const struct option *longs, int *index)       \
	{                                                                                                              \
		struct call call = {argc, argv, shorts, longs, only_long, {0, NULL}};                                  \
		begin(&call);                                                                                          \
		return end(&call, name(argc, argv, shorts, longs, index));                                             \
	}

SHORT(getopt)
SHORT(__posix_getopt)
LONG(getopt_long, false)
LONG(getopt_long_only, true)
