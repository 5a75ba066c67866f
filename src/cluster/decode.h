/* SPDX-License-Identifier: MIT
 *
 * The bytes that the store keeps in Redis and gets from there, with no connection: what a function of store.lua answers,
 * and the entries of the log. Whatever comes from Redis is checked here before anything else uses it. Numbers are
 * little-endian.
 *
 *     answer   magic 4, code 4, head 8, base 8, epoch 8, size of the reason 4, number of the dead 4, tag 8;
 *              reason; the dead, 8 each; what was asked for
 *     entry    size of all of it 4, member 4; changes; tag 8
 *     change   offset 8, size 4; bytes
 *
 * An entry's tag is a hash of its other bytes and of the tag of the entry before it. So a member that applies an entry
 * knows that all members that have applied it have the same log behind them: if Redis has forgotten something (its
 * append-only file did not have the last second) and others have gone on since, the next tag is wrong.
 */
#ifndef MZ_CLUSTER_DECODE_H
#define MZ_CLUSTER_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MZ_ENTRY_MOST (16U << 20)    /* the size of the largest entry, as in store.lua */
#define MZ_LEASE_MOST 604800000U     /* milliseconds: a week */
#define MZ_SNAPSHOT_CHUNK (1U << 20) /* bytes of a snapshot in one key, as in store.lua */

struct mz_bytes {
	const uint8_t *at;
	size_t size;
};

struct mz_tag {
	uint8_t bytes[8];
};

struct mz_change {
	uint64_t offset;
	const void *bytes;
	uint32_t size;
};

/* Takes over a change. Offset and size are within the memory of the run. */
struct mz_taker {
	void (*take)(void *self, const struct mz_change *change);
	void *self;
};

enum mz_answer_code {
	MZ_ANSWER_OK,
	MZ_ANSWER_WAITS,
	MZ_ANSWER_FENCED,
	MZ_ANSWER_EXPIRED,
	MZ_ANSWER_TRIMMED, /* the log does not go back so far: there is a snapshot */
	MZ_ANSWER_LOST,
	MZ_ANSWER_ABSENT,
	MZ_ANSWER_EXISTS,
	MZ_ANSWER_ENDED,
	MZ_ANSWER_FOREIGN, /* the run has another format */
	MZ_ANSWER_CODES,
};

struct mz_answer {
	enum mz_answer_code code;
	uint64_t head;  /* the position of the log's end */
	uint64_t base;  /* and of its beginning */
	uint64_t epoch; /* how often the token has been given */
	struct mz_tag tag;
	struct mz_bytes ended; /* why the run has ended; empty if it has not */
	struct mz_bytes dead;  /* members, 8 bytes each */
	struct mz_bytes body;
};

/* Reads an answer, which goes on pointing into `bytes`. Returns false if it is none. */
bool mz_answer_read(struct mz_answer *answer, struct mz_bytes bytes);
uint64_t mz_answer_dead(const struct mz_answer *answer, size_t i);

/* What is known of a run before one joins it: the answer to `look`. */
struct mz_run_found {
	uint64_t memory_size, lease, members;
	uint64_t snapshot, snapshot_size, snapshot_by; /* its position; 0 bytes: there is none */
	struct mz_tag snapshot_tag;
	struct mz_bytes identity;
};

bool mz_run_read(struct mz_run_found *run, struct mz_bytes body);

/* Reads a number of 8 bytes that is all of the body. */
bool mz_number_read(uint64_t *number, struct mz_bytes body);

/* Takes the next text, which its size precedes, off the beginning of `bytes`. Returns false at the end, and with
 * `*damaged` set if what is left is no text. */
bool mz_text_next(struct mz_bytes *bytes, struct mz_bytes *text, bool *damaged);

/* ---- the log ---- */

/* Where a member is in the log. */
struct mz_log_place {
	uint64_t position;
	struct mz_tag tag;
};

enum mz_log_status {
	MZ_LOG_FINE,
	MZ_LOG_LOST,    /* it is not the log that `place` is in: the bytes are no entries, or their tags are wrong */
	MZ_LOG_DAMAGED, /* an entry with the right tag has changes that are none, or not within the memory */
};

/* Checks the log that begins at `place`, with changes to a memory of `memory_size` bytes. The last entry may be cut off.
 * Sets `after` to the place behind the last whole entry. */
enum mz_log_status mz_log_check(struct mz_bytes log, uint64_t memory_size, const struct mz_log_place *place,
                                struct mz_log_place *after);

/* Hands on all changes of `size` bytes of the log, which have been checked. */
void mz_log_take(const uint8_t *log, size_t size, const struct mz_taker *taker);

/* Returns the tag of bytes that come after those with the tag `before`. */
struct mz_tag mz_tag_of(const void *bytes, size_t size, struct mz_tag before);

/* Returns the size of the entry for some changes; 0 if it is too large. */
size_t mz_entry_size(const struct mz_change *changes, size_t n);
/* Writes the entry and returns its tag. */
struct mz_tag mz_entry_write(uint8_t *entry, size_t size, uint32_t member, const struct mz_change *changes, size_t n,
                             struct mz_tag before);

/* ---- snapshots ---- */

/* A chunk of a snapshot is kept with its tag, which is a hash, at its beginning. */
struct mz_tag mz_chunk_tag(const void *bytes, size_t size);
/* Returns whether a stored chunk is whole and has the size that it must have. */
bool mz_chunk_check(struct mz_bytes stored, size_t size);

#endif
