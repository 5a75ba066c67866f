/* SPDX-License-Identifier: MIT
 *
 * `mazurka cc` and `mazurka c++`: the user's compiler, with what it takes to build for exploration.
 */
#ifndef MZ_CLI_CC_H
#define MZ_CLI_CC_H

#include <stdbool.h>

/* argv[0] is not looked at; the compiler's arguments follow. Does not return if the compiler could be started; else
 * the exit status. */
int mz_cc_main(int argc, char **argv, bool cxx);

#endif
