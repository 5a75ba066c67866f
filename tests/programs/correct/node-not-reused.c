/* SPDX-License-Identifier: MIT
 *
 * The stack of ../wrong/reused-node.c, where nothing is handed out twice.
 *
 * expect: optimal 57
 * expect: dfs 1352
 */
#include "../wrong/reused-node.c"
