/* SPDX-License-Identifier: MIT */
#ifndef MZ_CLI_WORKER_H
#define MZ_CLI_WORKER_H

/* Runs `mazurka worker`. Returns the exit status. */
int mz_worker_main(int argc, char **argv);

#endif
