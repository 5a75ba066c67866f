/* SPDX-License-Identifier: MIT
 *
 * The store behind a run over several machines: a memory that all members of the run have a copy of, and in Redis the log
 * of its changes. Members change the memory one at a time:
 *
 *     mz_store_open          once; mz_store_begin makes the run if this process starts it
 *     mz_store_join          as a member: hands on the memory as it is
 *     mz_store_enter         waits for the token, first come first served, and hands on what others have changed
 *     ...                    the caller reads and changes its own copy of the memory
 *     mz_store_leave         commits what the caller has changed, and gives the token back, in one step
 *     mz_store_depart, mz_store_close
 *
 * What mz_store_leave() has confirmed is in the log exactly once, and all members get to see it in the same order. What
 * it has refused is not. A member that is silent for longer than the run's lease is taken for dead: it loses the token,
 * and somebody who enters is told, in order to open what the dead member had taken. Each of the dead is told once,
 * together with the token; again if who was told dies before it has left.
 *
 * Every call tries again while Redis cannot be reached, for as long as the options say; nothing is done twice by that.
 * After MZ_STORE_FENCED, MZ_STORE_EXPIRED and MZ_STORE_LOST the caller's copy of the memory, and what it has taken in there,
 * are void: it can join again, as a new member with an empty memory, on the same store. docs/internals/cluster.md has the keys and
 * the protocol, docs/CLUSTER.md how Redis is set up. A store serves one thread at a time.
 */
#ifndef MZ_CLUSTER_STORE_H
#define MZ_CLUSTER_STORE_H

#include "cluster/decode.h"
#include "cluster/error.h"

#define MZ_STORE_LEASE 10000 /* milliseconds; a default for mz_store_begin() */

struct mz_store;

struct mz_store_options {
	uint32_t timeout;  /* milliseconds without an answer after which a connection is given up; 0: 5 seconds */
	uint32_t patience; /* milliseconds for which a call tries to reach Redis; 0: 2 minutes */
	/* Returns whether calls that wait are to be given up, with MZ_STORE_INTERRUPTED. Or NULL. */
	bool (*is_interrupted)(void *self);
	void *self;
};

/* Opens the store redis://[user@]host[:port]/name. The password comes from MAZURKA_REDIS_PASSWORD or from the file named by
 * MAZURKA_REDIS_PASSWORD_FILE; both are removed from this process's environment so that no program inherits them. Returns
 * NULL, and why, if the URL or the password cannot be used or Redis cannot be reached. */
struct mz_store *mz_store_open(const char *url, const struct mz_store_options *options, struct mz_store_error *error);
void mz_store_close(struct mz_store *store);

/* Returns the line to warn with, because the connection goes to another host and is not encrypted; or NULL. */
const char *mz_store_warning(const struct mz_store *store);

/* Returns why the last call that did not return MZ_STORE_OK did not. */
const struct mz_store_error *mz_store_error(const struct mz_store *store);

/* ---- the run ---- */

/* Makes the run: `identity` is the caller's, for those that join to compare; all of the memory is zero; `lease` is in
 * milliseconds. Returns MZ_STORE_EXISTS if there is a run of this name, though it may have ended. */
enum mz_store_status mz_store_begin(struct mz_store *store, struct mz_bytes identity, uint64_t memory_size,
                                    uint64_t lease);

/* Finds out about the run, as a member or not. The identity is valid until the next call. */
enum mz_store_status mz_store_look(struct mz_store *store, struct mz_run_found *run);

/* Ends the run. If it has ended before, the first reason stays, and so does the summary: what the run came to, or nothing. Redis
 * forgets a run one week after its end. */
#define MZ_STORE_SUMMARY "summary" /* a field of the status */
enum mz_store_status mz_store_stop(struct mz_store *store, const char *reason, struct mz_bytes summary);

/* Returns why the run has ended, as far as the last call has seen; NULL if it has not. */
const char *mz_store_ended(const struct mz_store *store);

/* Removes the run from Redis. */
enum mz_store_status mz_store_remove(struct mz_store *store);

/* ---- members ---- */

/* Becomes a new member and hands on the memory to `taker`, which gets all later changes, too. Bytes that are not handed on
 * are zero. */
enum mz_store_status mz_store_join(struct mz_store *store, const struct mz_taker *taker);

/* Does not become a member, but only hands on the memory: for mz_store_pull(), mz_store_records() and mz_store_status(). */
enum mz_store_status mz_store_watch(struct mz_store *store, const struct mz_taker *taker);

/* Returns the member's number, from 1 on; 0 if the caller is no member. */
uint32_t mz_store_member(const struct mz_store *store);

/* Says that the member is alive: all calls of a member do. At least every third of the lease, one has to be made. */
enum mz_store_status mz_store_beat(struct mz_store *store);

/* Hands on what others have changed since the last time. */
enum mz_store_status mz_store_pull(struct mz_store *store);

/* Stops being a member that has taken nothing any more: nobody is told. */
enum mz_store_status mz_store_depart(struct mz_store *store);

/* ---- changes ---- */

/* Members that are dead, of whom nobody has been told yet who has left. */
struct mz_store_dead {
	uint64_t *members;
	size_t count, capacity;
};

/* Waits up to `wait` milliseconds for the token and hands on all changes. Sets `dead`, which is valid until the next
 * mz_store_enter(). Returns MZ_STORE_BUSY if the token has not come; MZ_STORE_ENDED, with all changes handed on, if the run
 * has ended. */
enum mz_store_status mz_store_enter(struct mz_store *store, uint32_t wait, const struct mz_store_dead **dead);

/* Commits changes that the caller has made to its copy, and gives the token back; `n` may be 0. Returns MZ_STORE_FENCED if
 * the member has lost the token, and MZ_STORE_EXPIRED if it is taken for dead: nothing is committed then. After
 * MZ_STORE_TOO_LARGE, it still has the token. After MZ_STORE_UNREACHABLE and MZ_STORE_INTERRUPTED nobody knows; the same
 * call again finds out. */
enum mz_store_status mz_store_leave(struct mz_store *store, const struct mz_change *changes, size_t n);

/* Gives the token back without having changed anything. Who has been told of the dead is not: the next one is. */
enum mz_store_status mz_store_forgo(struct mz_store *store);

/* Returns the size of the log since the last snapshot. */
uint64_t mz_store_log_size(const struct mz_store *store);

/* Stores the first `used` bytes of the memory, of which the rest must be zero, in place of the log up to here. `memory` must
 * be as the member's calls have handed it on and committed; it does not take the token. Others go on meanwhile. */
enum mz_store_status mz_store_snapshot(struct mz_store *store, const void *memory, uint64_t used);

/* ---- records and status ---- */

/* Appends a record to those of a kind, which is a short word. */
enum mz_store_status mz_store_record(struct mz_store *store, const char *kind, struct mz_bytes record);

/* Hands on the records of a kind from the `first` on to `use`; `*count` is how many there were. Returns MZ_STORE_DAMAGED if one
 * of them is not as it was stored, or some are missing. */
enum mz_store_status mz_store_records(struct mz_store *store, const char *kind, uint64_t first,
                                      void (*use)(void *self, struct mz_bytes record), void *self, uint64_t *count);

/* Sets a field of the run's status, which is for people to read (--attach). */
enum mz_store_status mz_store_tell(struct mz_store *store, const char *field, struct mz_bytes value);

enum mz_store_status mz_store_status(struct mz_store *store,
                                     void (*use)(void *self, struct mz_bytes field, struct mz_bytes value), void *self);

#endif
