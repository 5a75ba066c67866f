/* SPDX-License-Identifier: MIT
 *
 * A memory of which several machines keep copies: the trunk (shared_trunk.h), or the states that are known (states.h). What a
 * machine needs to do so: see src/cluster/member.h.
 */
#ifndef MZ_EXPLORER_REPLICA_H
#define MZ_EXPLORER_REPLICA_H

#include "base/bug.h"
#include "explorer/trunk_link.h"

/* What is explored, for people to read. */
struct mz_replica_total {
	uint64_t number;
	const char *what; /* of what it is the number: "executions" */
	bool whole;       /* everything is explored */
};

#ifndef MZ_SMALL_TABLES
#define MZ_REPLICA_SEATS 1024 /* how many processes can take part at the same time */
#else
#define MZ_REPLICA_SEATS 4
#endif
#define MZ_REPLICA_SEATS_PLANTED 8 /* the same where a test wants few */

/* Returns how many seats are given. */
static inline uint32_t mz_replica_seats(void)
{
	return MZ_PLANTED("seats") ? MZ_REPLICA_SEATS_PLANTED : MZ_REPLICA_SEATS;
}

#define MZ_REPLICA_MEMORY ((size_t)1 << 30) /* bytes that processes share, unless the user gives a limit */

struct mz_replica {
	void *self;
	char *base;
	size_t size;
	size_t head; /* bytes at the beginning that change without being touched */
	struct mz_trunk_link *link;
	/* Returns how much is used; all behind it is zero. */
	size_t (*used)(void *self);
	/* Gives `n` seats to the workers of a member: that nobody has had, or whose member is gone. Returns false if there are not so
	 * many. */
	bool (*seat)(void *self, uint32_t member, uint32_t n, uint32_t *seats);
	/* Returns how many seats members have. */
	uint32_t (*seats)(void *self);
	/* Says that a member is gone, with all its workers. */
	void (*lose_member)(void *self, uint32_t member);
	/* Returns how many seats there are whose worker is gone, and what it had taken nobody has opened yet. */
	uint32_t (*count_lost)(void *self);
	struct mz_replica_total (*total)(void *self);
};

#endif
