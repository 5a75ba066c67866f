/* SPDX-License-Identifier: MIT
 *
 * Snapshots. A member puts chunks of its memory under keys of its own, which expire by themselves if it dies meanwhile; when all are
 * there, the function `snapshot` makes them the run's, in one step. One that loads a snapshot begins again if a newer one
 * takes its place meanwhile.
 */
#include "base/alloc.h"
#include "cluster/store_internal.h"
#include <stdio.h>
#include <string.h>

#define CHUNK_EXPIRES "3600" /* seconds */
#define BEAT_EVERY 16        /* chunks */

static void name_chunk(char key[200], const struct mz_store *store, uint64_t position, uint64_t random, uint64_t chunk)
{
	snprintf(key, 200, "%ssnapshot:%llu:%llu:%llu", store->prefix, (unsigned long long)position,
	         (unsigned long long)random, (unsigned long long)chunk);
}

static size_t chunk_size(uint64_t all, uint64_t chunk)
{
	uint64_t left = all - chunk * MZ_SNAPSHOT_CHUNK;
	return left < MZ_SNAPSHOT_CHUNK ? (size_t)left : MZ_SNAPSHOT_CHUNK;
}

static uint64_t chunks_of(uint64_t size)
{
	return size / MZ_SNAPSHOT_CHUNK + (size % MZ_SNAPSHOT_CHUNK != 0);
}

/* ---- storing ---- */

static enum mz_store_status put_chunk(struct mz_store *store, const uint8_t *memory, uint64_t used, uint64_t chunk)
{
	char key[200];
	size_t size = chunk_size(used, chunk);
	struct mz_tag tag = mz_chunk_tag(memory + chunk * MZ_SNAPSHOT_CHUNK, size);
	struct mz_bytes answer;
	enum mz_store_status status = mz_store_make_room(store, sizeof tag + size);
	if (status != MZ_STORE_OK) return status;
	memcpy(store->room, &tag, sizeof tag);
	memcpy(store->room + sizeof tag, memory + chunk * MZ_SNAPSHOT_CHUNK, size);
	name_chunk(key, store, store->place.position, store->random, chunk);
	struct mz_bytes words[] = {mz_bytes_of("SET"),
	                           mz_bytes_of(key),
	                           {store->room, sizeof tag + size},
	                           mz_bytes_of("EX"),
	                           mz_bytes_of(CHUNK_EXPIRES)};
	return mz_connection_call(store->connection, &(struct mz_command){words, 5}, 1, &answer, &store->error);
}

enum mz_store_status mz_store_snapshot(struct mz_store *store, const void *memory, uint64_t used)
{
	struct mz_request request;
	struct mz_answer answer;
	enum mz_store_status status = MZ_STORE_OK;
	for (uint64_t chunk = 0; chunk < chunks_of(used) && status == MZ_STORE_OK; chunk++) {
		if (chunk % BEAT_EVERY == BEAT_EVERY - 1) status = mz_store_beat(store);
		if (status == MZ_STORE_OK) status = put_chunk(store, memory, used, chunk);
	}
	if (status != MZ_STORE_OK) return status;
	mz_request_init_member(&request, store, "snapshot");
	mz_request_add_number(&request, store->place.position);
	mz_request_add_number(&request, used);
	mz_request_add(&request, (struct mz_bytes){store->place.tag.bytes, sizeof store->place.tag});
	return mz_store_do(store, &request, &answer);
}

/* ---- loading ---- */

/* Hands on one chunk. Sets `*gone` if it is not there any more. */
static enum mz_store_status get_chunk(struct mz_store *store, const struct mz_run_found *run, uint64_t chunk,
                                      bool *gone)
{
	char key[200];
	struct mz_bytes stored, words[2] = {mz_bytes_of("GET"), {0}};
	name_chunk(key, store, run->snapshot, run->snapshot_by, chunk);
	words[1] = mz_bytes_of(key);
	enum mz_store_status status =
	    mz_connection_call(store->connection, &(struct mz_command){words, 2}, 1, &stored, &store->error);
	*gone = status == MZ_STORE_OK && !stored.at;
	if (status != MZ_STORE_OK || *gone) return status;
	size_t size = chunk_size(run->snapshot_size, chunk);
	if (!mz_chunk_check(stored, size))
		return mz_store_fail(&store->error, MZ_STORE_DAMAGED, "the run's snapshot in Redis is damaged");
	struct mz_change change = {chunk * MZ_SNAPSHOT_CHUNK, stored.at + sizeof(struct mz_tag), (uint32_t)size};
	store->taker.take(store->taker.self, &change);
	return MZ_STORE_OK;
}

/* Hands on zeros for what the member has behind the end of the snapshot. */
static enum mz_store_status clear_rest(struct mz_store *store, uint64_t from)
{
	enum mz_store_status status = mz_store_make_room(store, MZ_SNAPSHOT_CHUNK);
	if (status != MZ_STORE_OK) return status;
	memset(store->room, 0, MZ_SNAPSHOT_CHUNK);
	for (size_t size; from < store->reach; from += size) {
		size = chunk_size(store->reach - from, 0);
		store->taker.take(store->taker.self, &(struct mz_change){from, store->room, (uint32_t)size});
	}
	store->reach = from;
	return MZ_STORE_OK;
}

/* Hands on all chunks of a snapshot. Sets `*gone` if it is not the run's any more. */
static enum mz_store_status load(struct mz_store *store, const struct mz_run_found *run, bool *gone)
{
	enum mz_store_status status = MZ_STORE_OK;
	*gone = false;
	for (uint64_t chunk = 0; chunk < chunks_of(run->snapshot_size) && status == MZ_STORE_OK && !*gone; chunk++) {
		if (store->member && chunk % BEAT_EVERY == BEAT_EVERY - 1) status = mz_store_beat(store);
		if (status == MZ_STORE_OK) status = get_chunk(store, run, chunk, gone);
	}
	if (status != MZ_STORE_OK || *gone) return status;
	store->place = (struct mz_log_place){run->snapshot, run->snapshot_tag};
	return clear_rest(store, run->snapshot_size);
}

enum mz_store_status mz_store_load_snapshot(struct mz_store *store)
{
	for (;;) {
		struct mz_run_found run;
		bool gone;
		enum mz_store_status status = mz_store_look(store, &run);
		if (status != MZ_STORE_OK) return status;
		/* Redis has gone back since it said so: if what this member has seen is gone, the next answer tells */
		if (store->base <= store->place.position) return MZ_STORE_OK;
		if (run.snapshot <= store->place.position || run.memory_size != store->memory_size)
			return mz_store_fail(&store->error, MZ_STORE_DAMAGED,
			                     "the run in Redis has neither a log nor a snapshot");
		status = load(store, &run, &gone);
		if (status != MZ_STORE_OK || !gone) return status;
	}
}
