/* SPDX-License-Identifier: MIT
 *
 * The stack of ../wrong/reused-node.c with tags, where they are not needed.
 *
 * expect: optimal 57
 * expect: dfs 1352
 */
#define TAGS
#include "../wrong/reused-node.c"
