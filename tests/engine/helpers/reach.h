/* SPDX-License-Identifier: MIT
 *
 * All states of a script, each visited once: what can be reached at all, however long it takes. That threads which spin
 * are made to wait must hide none of it: the same steps and the same ends have to be there with them waiting as with
 * them going round and round for ever.
 */
#ifndef MZ_TESTS_REACH_H
#define MZ_TESTS_REACH_H

#include "referee.h"

struct reach {
	struct graph_set steps; /* which thread did what where, and what it got */
	struct graph_set ends;  /* words, mutexes, conditions and who is done, where none of that changes any more */
	size_t stuck;           /* of these, how many have threads that are not done */
};

/* `unrolled`: threads that spin do not wait. False if there are more than `limit` states. */
bool reach_all(const struct script *script, bool unrolled, size_t limit, struct reach *reach);
void reach_release(struct reach *reach);

#endif
