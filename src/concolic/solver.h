/* SPDX-License-Identifier: MIT
 *
 * How the explored program's process and the solver's process talk: `mazurka-solver MEMORY SOCKET` maps struct mz_space
 * from the file descriptor MEMORY; for each MZ_SOLVER_ASK that it reads from the descriptor SOCKET it answers the query
 * that is in the memory, and writes MZ_SOLVER_ANSWERED back. Bytes from MZ_SOLVER_GREETINGS on it just sends back: a process
 * that takes the place of one that died does not know how many answers are still on their way, and waits for its greeting,
 * which is another one than that of the process before it, to come back. It ends when the socket is closed.
 */
#ifndef MZ_CONCOLIC_SOLVER_H
#define MZ_CONCOLIC_SOLVER_H

#include "concolic/expression.h"

#define MZ_SOLVER_ASK 'q'
#define MZ_SOLVER_ANSWERED 'a'
#define MZ_SOLVER_GREETINGS 0x80

#endif
