/* SPDX-License-Identifier: MIT
 *
 * `mazurka show TRACE` prints a recorded execution for a person.
 */
#ifndef MZ_CLI_SHOW_H
#define MZ_CLI_SHOW_H

/* argv[0] is "show". Returns the exit status. */
int mz_show_main(int argc, char **argv);

#endif
