/* SPDX-License-Identifier: MIT
 *
 * What a program under test may say to Mazurka. Every function here also works when the program runs by itself,
 * outside an exploration: choices are then 0 and the rest does nothing.
 */
#ifndef MAZURKA_H
#define MAZURKA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How an operation touches an object. Weak writes commute with each other and with weak reads; a weak read
 * conflicts with a write only; a read conflicts with writes and weak writes; a write conflicts with everything. */
typedef enum mz_access_kind { MZ_READ, MZ_WRITE, MZ_WEAK_READ, MZ_WEAK_WRITE } mz_access_kind;

/* A value from 0 to n-1; every one of them is explored. */
int mz_choose(int n);

/* "I make no progress until somebody else does something." sched_yield means the same. */
void mz_yield(void);

/* A visible operation on an object of the program's own choosing. */
void mz_access(const void *object, mz_access_kind kind);

/* Whether an exploration or a replay is under way. */
int mz_exploring(void);

#ifdef __cplusplus
}
#endif
#endif
