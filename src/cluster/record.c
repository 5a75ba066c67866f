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

enum mz_store_status mz_store_records(struct mz_store *store, const char *kind, uint64_t first,
                                      void (*use)(void *self, struct mz_bytes record), void *self, uint64_t *count)
{
	*count = 0;
	for (uint64_t before;;) {
		struct mz_request request;
		struct mz_answer answer;
		struct mz_bytes text;
		bool wrong;
		before = *count;
		mz_request_init(&request, store, "records");
		mz_request_add_text(&request, kind);
		mz_request_add_number(&request, first + *count);
		enum mz_store_status status = mz_store_do(store, &request, &answer);
		if (status != MZ_STORE_OK) return status;
		for (; mz_text_next(&answer.body, &text, &wrong); ++*count) use(self, text);
		if (wrong) return damaged(store, "records");
		if (*count == before) return MZ_STORE_OK;
	}
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
