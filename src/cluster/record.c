/* SPDX-License-Identifier: MIT
 *
 * Records (findings), and the status that people read.
 */
#include "cluster/store_internal.h"
#include <string.h>

enum mz_store_status mz_store_record(struct mz_store *store, const char *kind, struct mz_bytes record)
{
	struct mz_request request;
	struct mz_answer answer;
	struct mz_tag tag = mz_chunk_tag(record.at, record.size);
	/* one whose fate is not known has its number for itself, unless it is this one */
	if (store->record_in_doubt && memcmp(&tag, &store->doubtful_record, sizeof tag) != 0) store->records++;
	mz_request_init_member(&request, store, "record");
	mz_request_add_number(&request, store->records + 1);
	mz_request_add_text(&request, kind);
	mz_request_add(&request, (struct mz_bytes){tag.bytes, sizeof tag});
	mz_request_add(&request, record);
	enum mz_store_status status = mz_store_do(store, &request, &answer);
	store->record_in_doubt = status == MZ_STORE_UNREACHABLE || status == MZ_STORE_INTERRUPTED;
	store->doubtful_record = tag;
	if (status == MZ_STORE_OK) store->records++;
	return status;
}

static enum mz_store_status damaged(struct mz_store *store, const char *what)
{
	return mz_store_fail(&store->error, MZ_STORE_DAMAGED, "the run's %s in Redis are damaged", what);
}

/* A place among the records of a kind, from which on they are handed on. */
struct records {
	const char *kind;
	uint64_t first, *count; /* how many have been handed on */
	void (*use)(void *self, struct mz_bytes record);
	void *self;
};

/* Hands on the records of an answer, each of which has its tag before it. Returns false if they are damaged. */
static bool hand_on(const struct records *records, struct mz_bytes body)
{
	struct mz_bytes stored;
	bool wrong;
	for (; mz_text_next(&body, &stored, &wrong); ++*records->count) {
		size_t tag = sizeof(struct mz_tag);
		if (stored.size < tag || !mz_chunk_check(stored, stored.size - tag)) return false;
		records->use(records->self, (struct mz_bytes){stored.at + tag, stored.size - tag});
	}
	return !wrong;
}

/* Hands on the next records; sets `*all` to how many there are of the kind. */
static enum mz_store_status next_records(struct mz_store *store, const struct records *records, uint64_t *all)
{
	struct mz_request request;
	struct mz_answer answer;
	mz_request_init(&request, store, "records");
	mz_request_add_text(&request, records->kind);
	mz_request_add_number(&request, records->first + *records->count);
	enum mz_store_status status = mz_store_do(store, &request, &answer);
	if (status != MZ_STORE_OK) return status;
	struct mz_bytes body = answer.body;
	if (body.size < sizeof *all || !mz_number_read(all, (struct mz_bytes){body.at, sizeof *all}))
		return damaged(store, "records");
	body = (struct mz_bytes){body.at + sizeof *all, body.size - sizeof *all};
	return hand_on(records, body) ? MZ_STORE_OK : damaged(store, "records");
}

enum mz_store_status mz_store_records(struct mz_store *store, const char *kind, uint64_t first,
                                      void (*use)(void *self, struct mz_bytes record), void *self, uint64_t *count)
{
	const struct records records = {kind, first, count, use, self};
	uint64_t before, all;
	*count = 0;
	do {
		before = *count;
		enum mz_store_status status = next_records(store, &records, &all);
		if (status != MZ_STORE_OK) return status;
	} while (*count > before);
	if (first + *count == all || (*count == 0 && first > all)) return MZ_STORE_OK;
	return mz_store_fail(&store->error, MZ_STORE_DAMAGED,
	                     "the run has %llu records in Redis, and there have to be %llu",
	                     (unsigned long long)first + *count, (unsigned long long)all);
}

enum mz_store_status mz_store_tell(struct mz_store *store, const char *field, struct mz_bytes value)
{
	struct mz_request request;
	struct mz_answer answer;
	mz_request_init(&request, store, "tell");
	mz_request_add_text(&request, field);
	mz_request_add(&request, value);
	return mz_store_do(store, &request, &answer);
}

enum mz_store_status mz_store_status(struct mz_store *store,
                                     void (*use)(void *self, struct mz_bytes field, struct mz_bytes value), void *self)
{
	struct mz_request request;
	struct mz_answer answer;
	struct mz_bytes field, value;
	bool wrong;
	mz_request_init(&request, store, "status");
	enum mz_store_status status = mz_store_do(store, &request, &answer);
	if (status != MZ_STORE_OK) return status;
	while (mz_text_next(&answer.body, &field, &wrong)) {
		if (!mz_text_next(&answer.body, &value, &wrong)) return damaged(store, "fields of status");
		use(self, field, value);
	}
	return wrong ? damaged(store, "fields of status") : MZ_STORE_OK;
}
