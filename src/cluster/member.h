/* SPDX-License-Identifier: MIT
 *
 * A machine that takes part in a run over several machines: keeps what the workers of its crew share, the trunk or the states
 * that are known, the same as that of the others, by the store. A thread of the supervisor does so: it serves the workers, which ask by the link (explorer/trunk_link.h), and
 * when nobody asks it looks now and then for what others have changed.
 *
 * A member that was taken for dead, because it was silent for too long, has a copy that is of no use any more, and others
 * explore again what its workers had not finished. Then there is another crew, with a new copy, on a new member.
 */
#ifndef MZ_CLUSTER_MEMBER_H
#define MZ_CLUSTER_MEMBER_H

#include "cluster/leaving.h"
#include "cluster/store.h"
#include "explorer/crew.h"

enum mz_member_end {
	MZ_MEMBER_WORKS,
	MZ_MEMBER_ENDED, /* the run has ended */
	MZ_MEMBER_VOID,  /* the copy is of no use any more */
	MZ_MEMBER_LEFT,  /* this machine was told to leave the run, and did not wait for others */
	MZ_MEMBER_FAILED /* the store cannot be used, or something else is missing: the error says why */
};

struct mz_member {
	struct mz_store *store;
	struct mz_leaving *leaving;
	struct mz_crew_link link;
	struct mz_replica memory;
	char *shadow; /* the memory as all have it */
	size_t size;
	bool writing;
	struct mz_change *changes;
	size_t nchanges, changes_capacity;
	void *(*publish)(void *publisher, size_t *size);
	void *publisher;
	pthread_t thread;
	bool serving;
	_Atomic uint32_t stop;
	enum mz_member_end end;
	struct mz_store_error error; /* of MZ_MEMBER_FAILED */
	double pulled;
	uint32_t voids; /* how often in a row it was taken for dead before it had joined */
};

/* Prepares a member; mz_member.link is for mz_crew_run(). `size` is that of the run's memory; `leaving` is that of the options of
 * the store. */
void mz_member_init(struct mz_member *member, struct mz_store *store, size_t size, struct mz_leaving *leaving);
void mz_member_release(struct mz_member *member);

/* Reads what all members have found into a session that has found nothing itself. Fills in the error if that cannot be done. */
enum mz_store_status mz_member_collect(struct mz_store *store, struct mz_session *session,
                                       struct mz_store_error *error);

#endif
