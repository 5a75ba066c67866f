/* SPDX-License-Identifier: MIT */
#include "cluster/decode.h"
#include "base/hash.h"
#include <string.h>

#define ANSWER_MAGIC 0x31535a4dU
#define ANSWER_SIZE 48
#define ENTRY_HEAD 8
#define CHANGE_HEAD 12
#define TAG_SIZE sizeof(struct mz_tag)

static uint32_t read4(const uint8_t *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t read8(const uint8_t *at)
{
	return read4(at) | (uint64_t)read4(at + 4) << 32;
}

static uint8_t *write4(uint8_t *at, uint32_t x)
{
	for (int i = 0; i < 4; i++) at[i] = (uint8_t)(x >> 8 * i);
	return at + 4;
}

static uint8_t *write8(uint8_t *at, uint64_t x)
{
	return write4(write4(at, (uint32_t)x), (uint32_t)(x >> 32));
}

static struct mz_tag read_tag(const uint8_t *at)
{
	struct mz_tag tag;
	memcpy(&tag, at, TAG_SIZE);
	return tag;
}

/* Takes `size` bytes, of which there are enough, off the beginning. */
static struct mz_bytes split(struct mz_bytes *bytes, size_t size)
{
	struct mz_bytes first = {bytes->at, size};
	bytes->at += size;
	bytes->size -= size;
	return first;
}

/* ---- answers ---- */

bool mz_answer_read(struct mz_answer *answer, struct mz_bytes bytes)
{
	const uint8_t *at = bytes.at;
	if (bytes.size < ANSWER_SIZE || read4(at) != ANSWER_MAGIC || read4(at + 4) >= MZ_ANSWER_CODES) return false;
	*answer = (struct mz_answer){.code = (enum mz_answer_code)read4(at + 4),
	                             .head = read8(at + 8),
	                             .base = read8(at + 16),
	                             .epoch = read8(at + 24),
	                             .tag = read_tag(at + 40)};
	uint64_t ended = read4(at + 32), dead = 8 * (uint64_t)read4(at + 36);
	if (ended + dead > bytes.size - ANSWER_SIZE || answer->base > answer->head) return false;
	split(&bytes, ANSWER_SIZE);
	answer->ended = split(&bytes, ended);
	answer->dead = split(&bytes, dead);
	answer->body = bytes;
	return true;
}

uint64_t mz_answer_dead(const struct mz_answer *answer, size_t i)
{
	return read8(answer->dead.at + 8 * i);
}

bool mz_run_read(struct mz_run_found *run, struct mz_bytes body)
{
	if (body.size < 56) return false;
	const uint8_t *at = split(&body, 56).at;
	*run = (struct mz_run_found){.memory_size = read8(at),
	                             .lease = read8(at + 8),
	                             .members = read8(at + 16),
	                             .snapshot = read8(at + 24),
	                             .snapshot_size = read8(at + 32),
	                             .snapshot_by = read8(at + 40),
	                             .snapshot_tag = read_tag(at + 48),
	                             .identity = body};
	return run->lease > 0 && run->lease <= MZ_LEASE_MOST && run->snapshot_size <= run->memory_size;
}

bool mz_number_read(uint64_t *number, struct mz_bytes body)
{
	if (body.size != 8) return false;
	*number = read8(body.at);
	return true;
}

bool mz_text_next(struct mz_bytes *bytes, struct mz_bytes *text, bool *damaged)
{
	*damaged = bytes->size > 0 && (bytes->size < 4 || read4(bytes->at) > bytes->size - 4);
	if (*damaged || bytes->size == 0) return false;
	size_t size = read4(split(bytes, 4).at);
	*text = split(bytes, size);
	return true;
}

/* ---- the log ---- */

/* Reads the change at the beginning of `changes`, of which there is at least one byte. Returns false if it is none, or not within the
 * memory. */
static bool next_change(struct mz_bytes *changes, uint64_t memory_size, struct mz_change *change)
{
	if (changes->size < CHANGE_HEAD) return false;
	const uint8_t *head = split(changes, CHANGE_HEAD).at;
	*change = (struct mz_change){.offset = read8(head), .size = read4(head + 8)};
	if (change->size > changes->size || change->offset > memory_size || change->size > memory_size - change->offset)
		return false;
	change->bytes = split(changes, change->size).at;
	return true;
}

struct mz_tag mz_tag_of(const void *bytes, size_t size, struct mz_tag before)
{
	struct mz_tag tag;
	write8(tag.bytes, mz_hash_bytes(bytes, size, (struct mz_key){read8(before.bytes), 0}).low);
	return tag;
}

static bool same_tag(const struct mz_tag *a, const struct mz_tag *b)
{
	return memcmp(a, b, TAG_SIZE) == 0;
}

/* Returns the size of the entry at the beginning of the log; 0 if it is cut off, and with `*damaged` set if it is none. */
static size_t entry_at(struct mz_bytes log, bool *damaged)
{
	*damaged = false;
	if (log.size < 4) return 0;
	uint32_t size = read4(log.at);
	*damaged = size < ENTRY_HEAD + TAG_SIZE || size > MZ_ENTRY_MOST;
	return *damaged || size > log.size ? 0 : size;
}

static bool changes_are_valid(struct mz_bytes entry, uint64_t memory_size)
{
	struct mz_bytes changes = {entry.at + ENTRY_HEAD, entry.size - ENTRY_HEAD - TAG_SIZE};
	struct mz_change change;
	while (changes.size > 0)
		if (!next_change(&changes, memory_size, &change)) return false;
	return true;
}

enum mz_log_status mz_log_check(struct mz_bytes log, uint64_t memory_size, const struct mz_log_place *place,
                                struct mz_log_place *after)
{
	bool damaged;
	*after = *place;
	for (size_t size; (size = entry_at(log, &damaged)) > 0;) {
		struct mz_bytes entry = split(&log, size);
		struct mz_tag said = read_tag(entry.at + size - TAG_SIZE);
		struct mz_tag tag = mz_tag_of(entry.at, size - TAG_SIZE, after->tag);
		if (!same_tag(&said, &tag)) return MZ_LOG_LOST;
		if (!changes_are_valid(entry, memory_size)) return MZ_LOG_DAMAGED;
		after->tag = tag;
		after->position += size;
	}
	return damaged ? MZ_LOG_LOST : MZ_LOG_FINE;
}

void mz_log_take(const uint8_t *log, size_t size, const struct mz_taker *taker)
{
	for (const uint8_t *end = log + size; log < end; log += read4(log)) {
		struct mz_bytes changes = {log + ENTRY_HEAD, read4(log) - ENTRY_HEAD - TAG_SIZE};
		struct mz_change change;
		while (changes.size > 0 && next_change(&changes, UINT64_MAX, &change))
			taker->take(taker->self, &change);
	}
}

size_t mz_entry_size(const struct mz_change *changes, size_t n)
{
	uint64_t size = ENTRY_HEAD + TAG_SIZE;
	for (size_t i = 0; i < n && size <= MZ_ENTRY_MOST; i++) size += CHANGE_HEAD + (uint64_t)changes[i].size;
	return size <= MZ_ENTRY_MOST ? size : 0;
}

struct mz_tag mz_entry_write(uint8_t *entry, size_t size, uint32_t member, const struct mz_change *changes, size_t n,
                             struct mz_tag before)
{
	uint8_t *at = write4(write4(entry, (uint32_t)size), member);
	for (size_t i = 0; i < n; i++) {
		at = write4(write8(at, changes[i].offset), changes[i].size);
		memcpy(at, changes[i].bytes, changes[i].size);
		at += changes[i].size;
	}
	struct mz_tag tag = mz_tag_of(entry, size - TAG_SIZE, before);
	memcpy(at, &tag, TAG_SIZE);
	return tag;
}

/* ---- snapshots ---- */

struct mz_tag mz_chunk_tag(const void *bytes, size_t size)
{
	return mz_tag_of(bytes, size, (struct mz_tag){{0}});
}

bool mz_chunk_check(struct mz_bytes stored, size_t size)
{
	if (stored.size != size + TAG_SIZE) return false;
	struct mz_tag said = read_tag(stored.at), tag = mz_chunk_tag(stored.at + TAG_SIZE, size);
	return same_tag(&said, &tag);
}
