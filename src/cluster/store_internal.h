/* SPDX-License-Identifier: MIT
 *
 * What the files behind store.h share: the store itself, and calls of the functions of store.lua.
 */
#ifndef MZ_CLUSTER_STORE_INTERNAL_H
#define MZ_CLUSTER_STORE_INTERNAL_H

#include "cluster/connection.h"
#include "cluster/store.h"

struct mz_store {
	struct mz_connection *connection;
	struct mz_store_options options;
	struct mz_store_error error;
	char prefix[120];  /* of all keys: "mazurka:{name}:" */
	char warning[400]; /* empty: none */
	char ended[200];   /* empty: the run has not ended */

	/* of a member, and of one that only watches */
	struct mz_taker taker;
	uint64_t memory_size, lease;
	struct mz_log_place place;
	uint64_t reach;      /* bytes from here on have never been handed on or committed: they are zero */
	uint64_t base, head; /* of the log, as of the last answer */

	uint32_t member; /* 0: none */
	uint64_t random; /* what tells the member from another one of this number: Redis may forget that it joined */
	uint64_t epoch;  /* at which the member got the token */
	struct mz_store_dead dead;

	/* A commit or record is numbered, so that it can be sent again. In doubt, it was sent and no answer came. */
	uint64_t commits, records;
	bool commit_in_doubt, record_in_doubt;
	struct mz_tag doubtful_record;

	uint8_t *room; /* for an entry, or a chunk of a snapshot */
	size_t room_size;
};

/* A call of a function of store.lua, which must not move: it points into itself. */
struct mz_request {
	struct mz_bytes words[16];
	size_t n;
	char function[64], key[128], member[48];
	char numbers[8][24];
	size_t numbers_used;
};

void mz_request_init(struct mz_request *request, const struct mz_store *store, const char *function);
void mz_request_add(struct mz_request *request, struct mz_bytes word);
void mz_request_add_text(struct mz_request *request, const char *text);
void mz_request_add_number(struct mz_request *request, uint64_t number);

/* Begins a request with the member's name. */
void mz_request_init_member(struct mz_request *request, const struct mz_store *store, const char *function);

/* Sends a request, after `before` if that is not NULL, and reads the answer. Returns MZ_STORE_OK if there is an answer of whatever
 * code. */
enum mz_store_status mz_store_ask(struct mz_store *store, const struct mz_command *before,
                                  const struct mz_request *request, struct mz_answer *answer);

/* Returns what the answer's code means, with the text for it. */
enum mz_store_status mz_store_judge(struct mz_store *store, const struct mz_answer *answer);

/* Sends a request and returns what the answer means. */
enum mz_store_status mz_store_do(struct mz_store *store, const struct mz_request *request, struct mz_answer *answer);

/* Makes room for `size` bytes in the store's `room`. */
enum mz_store_status mz_store_make_room(struct mz_store *store, size_t size);

/* Writes the member's name in Redis; "0" if the store belongs to none. */
void mz_store_name(const struct mz_store *store, char name[48]);

/* Returns text as bytes, without its end. */
struct mz_bytes mz_bytes_of(const char *text);

/* Hands on the run's snapshot, because the log does not go back to the member's place. */
enum mz_store_status mz_store_load_snapshot(struct mz_store *store);

#endif
