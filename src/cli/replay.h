/* SPDX-License-Identifier: MIT */
#ifndef MZ_CLI_REPLAY_H
#define MZ_CLI_REPLAY_H

/* Runs `mazurka replay`. Returns the exit status: 1 if what the trace shows happened again, 0 if nothing was wrong. */
int mz_replay_main(int argc, char **argv);

#endif
