/* SPDX-License-Identifier: MIT */
#ifndef MZ_CLI_RUN_H
#define MZ_CLI_RUN_H

/* Runs `mazurka run`. Returns the exit status. */
int mz_run_main(int argc, char **argv);

#endif
