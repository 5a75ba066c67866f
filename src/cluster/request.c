/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "base/bug.h"
#include "cluster/store_internal.h"
#include <stdio.h>
#include <string.h>

struct mz_bytes mz_bytes_of(const char *text)
{
	return (struct mz_bytes){(const uint8_t *)text, strlen(text)};
}

/* ---- requests ---- */

void mz_request_add(struct mz_request *request, struct mz_bytes word)
{
	MZ_REQUIRE(request->n < sizeof request->words / sizeof *request->words);
	request->words[request->n++] = word;
}

void mz_request_add_text(struct mz_request *request, const char *text)
{
	mz_request_add(request, mz_bytes_of(text));
}

void mz_request_add_number(struct mz_request *request, uint64_t number)
{
	MZ_REQUIRE(request->numbers_used < sizeof request->numbers / sizeof *request->numbers);
	char *text = request->numbers[request->numbers_used++];
	snprintf(text, sizeof *request->numbers, "%llu", (unsigned long long)number);
	mz_request_add_text(request, text);
}

void mz_request_init(struct mz_request *request, const struct mz_store *store, const char *function)
{
	request->n = request->numbers_used = 0;
	snprintf(request->function, sizeof request->function, "%s%s", mz_connection_functions(), function);
	snprintf(request->key, sizeof request->key, "%srun", store->prefix);
	mz_request_add_text(request, "FCALL");
	mz_request_add_text(request, request->function);
	mz_request_add_text(request, "1");
	mz_request_add_text(request, request->key);
}

void mz_store_name(const struct mz_store *store, char name[48])
{
	if (store->member)
		snprintf(name, 48, "%u-%llu", store->member, (unsigned long long)store->random);
	else
		snprintf(name, 48, "0");
}

void mz_request_init_member(struct mz_request *request, const struct mz_store *store, const char *function)
{
	mz_request_init(request, store, function);
	mz_store_name(store, request->member);
	mz_request_add_text(request, request->member);
}

/* ---- answers ---- */

/* Keeps the reason for the end, for people: what is not printable was not written by us. */
static void keep_reason(struct mz_store *store, struct mz_bytes reason)
{
	size_t n = reason.size < sizeof store->ended - 1 ? reason.size : sizeof store->ended - 1;
	memcpy(store->ended, reason.at, n);
	store->ended[n] = '\0';
	mz_store_clean(store->ended);
}

enum mz_store_status mz_store_ask(struct mz_store *store, const struct mz_command *before,
                                  const struct mz_request *request, struct mz_answer *answer)
{
	struct mz_command commands[2] = {{request->words, request->n}};
	size_t n = 1;
	struct mz_bytes bytes;
	if (before) commands[n++] = commands[0], commands[0] = *before;
	enum mz_store_status status = mz_connection_call(store->connection, commands, n, &bytes, &store->error);
	if (status != MZ_STORE_OK) return status;
	if (!bytes.at || !mz_answer_read(answer, bytes))
		return mz_store_fail(&store->error, MZ_STORE_DAMAGED, "Redis answers %s with what is no answer",
		                     request->function);
	store->base = answer->base;
	store->head = answer->head;
	keep_reason(store, answer->ended);
	return MZ_STORE_OK;
}

enum mz_store_status mz_store_judge(struct mz_store *store, const struct mz_answer *answer)
{
	static const struct {
		enum mz_store_status status;
		const char *text;
	} meanings[MZ_ANSWER_CODES] = {
	    [MZ_ANSWER_OK] = {MZ_STORE_OK, ""},
	    [MZ_ANSWER_WAITS] = {MZ_STORE_BUSY, "another member has the token"},
	    [MZ_ANSWER_FENCED] = {MZ_STORE_FENCED, "the token was taken away from this member: nothing is committed"},
	    [MZ_ANSWER_EXPIRED] = {MZ_STORE_EXPIRED, "this member was silent for too long and is taken for dead"},
	    [MZ_ANSWER_TRIMMED] = {MZ_STORE_BUSY, "the snapshot took too long"},
	    [MZ_ANSWER_LOST] = {MZ_STORE_LOST, "Redis has forgotten changes that it had confirmed (appendfsync?)"},
	    [MZ_ANSWER_ABSENT] = {MZ_STORE_ABSENT, "Redis has no run of this name"},
	    [MZ_ANSWER_EXISTS] = {MZ_STORE_EXISTS, "Redis has a run of this name already"},
	    [MZ_ANSWER_ENDED] = {MZ_STORE_ENDED, "the run has ended"},
	    [MZ_ANSWER_FOREIGN] = {MZ_STORE_REFUSED, "the run was made by another version of Mazurka"},
	};
	if (answer->code == MZ_ANSWER_OK) return MZ_STORE_OK;
	return mz_store_fail(&store->error, meanings[answer->code].status, "%s", meanings[answer->code].text);
}

enum mz_store_status mz_store_do(struct mz_store *store, const struct mz_request *request, struct mz_answer *answer)
{
	enum mz_store_status status = mz_store_ask(store, NULL, request, answer);
	return status == MZ_STORE_OK ? mz_store_judge(store, answer) : status;
}

enum mz_store_status mz_store_make_room(struct mz_store *store, size_t size)
{
	if (size <= store->room_size) return MZ_STORE_OK;
	uint8_t *room = mz_realloc(store->room, size);
	if (!room) return mz_store_fail(&store->error, MZ_STORE_NO_MEMORY, "out of memory");
	store->room = room;
	store->room_size = size;
	return MZ_STORE_OK;
}
