/* SPDX-License-Identifier: MIT
 *
 * A memory of which several machines keep copies: the trunk (shared_trunk.h), or the states that are known (states.h). What a
 * machine needs to do so: see src/cluster/member.h.
 */
#ifndef MZ_EXPLORER_REPLICA_H
#define MZ_EXPLORER_REPLICA_H

#include "explorer/trunk_link.h"

/* What is explored, for people to read. */
struct mz_replica_total {
	uint64_t number;
	const char *what; /* of what it is the number: "executions" */
	bool whole;       /* everything is explored */
};

struct mz_replica {
	void *self;
	char *base;
	size_t size;
	size_t head; /* bytes at the beginning that change without being touched */
	struct mz_trunk_link *link;
	/* Returns how much is used; all behind it is zero. */
	size_t (*used)(void *self);
	/* Gives `n` seats to the workers of a member. Returns false if there are not so many. */
	bool (*seat)(void *self, uint32_t member, uint32_t n, uint32_t *seats);
	/* Returns how many seats were ever used. */
	uint32_t (*seats)(void *self);
	/* Says that all workers of a member are gone. */
	void (*lose_member)(void *self, uint32_t member);
	/* Returns how many seats there are whose worker is gone, and what it had taken nobody has opened yet. */
	uint32_t (*count_lost)(void *self);
	struct mz_replica_total (*total)(void *self);
};

#endif
