/* SPDX-License-Identifier: MIT
 *
 * `mazurka worker`: the command line. What it does is in cluster/cluster.c.
 */
#include "cli/worker.h"
#include "cluster/cluster.h"
#include "report/say.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int help(void)
{
	puts("usage: mazurka worker --cluster URL [--jobs N] [-- PROGRAM]\n\n"
	     "Takes part in a run that mazurka run --cluster has begun, until it ends.\n\n"
	     "  --cluster URL   the run: redis://host:port/name\n"
	     "  --jobs N        explore in N processes; 0: one per core (default 1)\n"
	     "  --help          print these lines\n\n"
	     "PROGRAM is where the program is on this machine, if it is elsewhere than on the one that began the run.\n"
	     "Exit status: 0 the run has ended, or this machine was told to leave it; 2 bad usage, or an internal "
	     "error; 3 this "
	     "machine cannot go on, or the store is out of reach.");
	return 0;
}

/* Returns the value of an option that is "NAME VALUE" or "NAME=VALUE", and moves `*i` to its last word; NULL if it is
 * another option or there is no value. */
static const char *value_of(const char *name, int argc, char **argv, int *i)
{
	size_t length = strlen(name);
	if (strncmp(argv[*i], name, length) != 0) return NULL;
	if (argv[*i][length] == '=') return argv[*i] + length + 1;
	if (argv[*i][length] || *i + 1 >= argc) return NULL;
	return argv[++*i];
}

static int read_jobs(const char *text, uint32_t *jobs)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);
	if (*end || end == text || *text == '-' || n > 64)
		return mz_refuse("--jobs takes a whole number from 0 to 64, not '%s'", text);
	*jobs = (uint32_t)n;
	return 0;
}

int mz_worker_main(int argc, char **argv)
{
	const char *url = NULL, *program = NULL, *text;
	uint32_t jobs = 1;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0) return help();
		if (strcmp(argv[i], "--") == 0) {
			program = i + 1 < argc ? argv[i + 1] : NULL;
			if (i + 2 < argc)
				return mz_refuse(
				    "'%s': mazurka worker takes a program without arguments, which are those of "
				    "the run",
				    argv[i + 2]);
			break;
		}
		if ((text = value_of("--cluster", argc, argv, &i))) {
			url = text;
		} else if ((text = value_of("--jobs", argc, argv, &i))) {
			if (read_jobs(text, &jobs) != 0) return MZ_EXIT_USAGE;
		} else {
			return mz_refuse(
			    "mazurka worker does not know '%s', or it takes a value (see mazurka worker --help)",
			    argv[i]);
		}
	}
	if (!url) return mz_refuse("no run given: mazurka worker --cluster redis://host:port/name");
	return mz_cluster_work(url, program, jobs);
}
