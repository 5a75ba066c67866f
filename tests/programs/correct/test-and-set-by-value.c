/* SPDX-License-Identifier: MIT
 *
 * The lock of test-and-set-releasing.c, explored without looking for data races: then only values count, and an
 * exchange that finds the lock taken is a read.
 *
 * expect: optimal 48
 * expect: dfs 60
 * counted: -O2
 * options: --no-races
 */
#include "test-and-set-releasing.c"
