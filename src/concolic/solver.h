/* SPDX-License-Identifier: MIT
 *
 * How the explored program's process and the solver's process talk: `mazurka-solver MEMORY SOCKET` maps struct mz_space
 * from the file descriptor MEMORY; for each byte that it reads from the descriptor SOCKET it answers the query that is
 * in the memory, and writes one byte back. It ends when the socket is closed.
 */
#ifndef MZ_CONCOLIC_SOLVER_H
#define MZ_CONCOLIC_SOLVER_H

#include "concolic/expression.h"

#define MZ_SOLVER_ASK 'q'
#define MZ_SOLVER_ANSWERED 'a'

#endif
