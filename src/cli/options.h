/* SPDX-License-Identifier: MIT
 *
 * The command line of `mazurka run`: the options of configuration/configuration.h, and a few of the command alone.
 */
#ifndef MZ_CLI_OPTIONS_H
#define MZ_CLI_OPTIONS_H

#include "campaign/reporter.h"
#include "configuration/configuration.h"
#include <stdio.h>

#define MZ_LEASE_DEFAULT (-1.0)

struct mz_run_options {
	struct mz_configuration configuration;
	struct mz_reporting reporting;
	const char *cluster, *attach; /* URLs of runs; NULL: not given */
	double lease;                 /* seconds; MZ_LEASE_DEFAULT: not given */
	uint32_t help;
	char **program; /* the program and its arguments, NULL-terminated; NULL if none is given */
};

/* Reads the arguments behind `mazurka run`. Returns 0, or -1 after saying in one line what is wrong. */
int mz_run_options_parse(struct mz_run_options *options, int argc, char **argv);

/* Prints the options for --help. */
void mz_run_options_help(FILE *out);

/* Returns the n-th option in the order of --help, or NULL past the last. */
const struct mz_option *mz_run_option(size_t n);

#endif
