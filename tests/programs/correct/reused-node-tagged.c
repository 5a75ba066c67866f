/* SPDX-License-Identifier: MIT
 *
 * The stack of ../wrong/reused-node.c with tags: a node that has come back is not taken for the one that was there.
 *
 * expect: optimal 57
 * expect: dfs 3511
 * options: --heap reuse
 */
#define TAGS
#include "../wrong/reused-node.c"
