/* SPDX-License-Identifier: MIT
 *
 * `mazurka cc` and `mazurka c++`: the user's compiler, with what it takes to build for exploration.
 */
#ifndef MZ_CLI_CC_H
#define MZ_CLI_CC_H

#include <stdbool.h>

/* Runs the compiler with the arguments behind argv[0]. Does not return if the compiler could be started; else returns
 * the exit status. */
int mz_cc_main(int argc, char **argv, bool cxx);

#endif
