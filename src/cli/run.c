/* SPDX-License-Identifier: MIT
 *
 * `mazurka run`: the command line. What it does is in campaign/campaign.c.
 */
#include "cli/run.h"
#include "campaign/campaign.h"
#include "campaign/instrumented.h"
#include "cli/options.h"
#include "cluster/cluster.h"
#include "report/say.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_LEASE 1 /* seconds */
#define MOST_LEASE 86400

static int help(void)
{
	puts("usage: mazurka run [options] [--] PROGRAM [ARGS...]\n\n"
	     "Explores the interleavings of a program that was built with mazurka cc.\n");
	mz_run_options_help(stdout);
	puts("Exit status: 0 no bug, all explored; 1 a bug; 2 bad usage; 3 a limit ended the run, no bug.");
	return 0;
}

/* Finds the program and checks that it can be explored. The path is absolute, because traces keep it and may be
 * replayed from another folder. */
static int find_program(char **program, char absolute[PATH_MAX], char identity[MZ_IDENTITY_SIZE])
{
	char path[PATH_MAX], error[512];
	if (!program) return mz_refuse("no program given (see mazurka run --help)");
	if (mz_program_find(program[0], path, error, sizeof error) != 0 ||
	    mz_program_check(path, error, sizeof error) != 0)
		return mz_refuse("%s", error);
	if (!realpath(path, absolute) || mz_program_identity(path, identity) != 0)
		return mz_refuse("cannot read '%s': %s", path, strerror(errno));
	return 0;
}

/* Checks the options of a run over several machines. Returns 0, or an exit status after saying what is wrong. */
static int check_cluster(const struct mz_run_options *options)
{
	bool given = options->lease != MZ_LEASE_DEFAULT;
	if (!options->cluster && given) return mz_refuse("--lease is for a run with --cluster");
	if (given && options->lease < LEAST_LEASE)
		return mz_refuse("--lease takes %d second or more: machines are heard of a few times per second",
		                 LEAST_LEASE);
	if (given && options->lease > MOST_LEASE)
		return mz_refuse("--lease takes %d seconds at most: what a dead machine had is not explored before",
		                 MOST_LEASE);
	return 0;
}

static int explore(struct mz_run_options *options, const struct mz_subject *subject)
{
	struct mz_cluster cluster;
	if (!options->cluster) return mz_campaign(&options->reporting, subject);
	int status = mz_cluster_open(&cluster, options->cluster, options->configuration.timeout);
	if (status) return status;
	options->reporting.cluster = &cluster.campaign;
	if (options->lease != MZ_LEASE_DEFAULT) cluster.lease = (uint64_t)(options->lease * 1000);
	status = mz_campaign(&options->reporting, subject);
	mz_cluster_close(&cluster);
	return status;
}

/* Shows a run that goes on elsewhere: its program and options are those of whoever began it. */
static int attach(const struct mz_run_options *options)
{
	if (options->cluster) return mz_refuse("--attach cannot be combined with --cluster: it only shows a run");
	if (options->program)
		return mz_refuse("--attach takes no program: it shows the run of the one that is explored elsewhere");
	return mz_cluster_attach(options->attach);
}

int mz_run_main(int argc, char **argv)
{
	struct mz_run_options options;
	char path[PATH_MAX], identity[MZ_IDENTITY_SIZE];
	if (mz_run_options_parse(&options, argc - 1, argv + 1) != 0) return MZ_EXIT_USAGE;
	if (options.help) return help();
	int failed = check_cluster(&options);
	if (failed) return failed;
	if (options.attach) return attach(&options);
	failed = find_program(options.program, path, identity);
	if (failed) return failed;
	struct mz_subject subject = {
	    .path = path, .argv = options.program, .identity = identity, .configuration = options.configuration};
	return explore(&options, &subject);
}
