/* SPDX-License-Identifier: MIT
 *
 * A connection to Redis that comes back by itself: when it breaks, or Redis takes too long, the command is sent again on a
 * new one, until the caller's patience is over. So commands must be such that nothing is wrong with doing them twice.
 * This is all of Mazurka that knows the client library; without that, connection_none.c stands in.
 */
#ifndef MZ_CLUSTER_CONNECTION_H
#define MZ_CLUSTER_CONNECTION_H

#include "cluster/address.h"
#include "cluster/decode.h"
#include "cluster/store.h"

struct mz_connection;

struct mz_command {
	const struct mz_bytes *words;
	size_t n;
};

/* Makes a connection, and does not connect yet. Returns NULL if there is no memory, or no client library. */
struct mz_connection *mz_connection_new(const struct mz_address *address, const struct mz_store_options *options,
                                        struct mz_store_error *error);
void mz_connection_free(struct mz_connection *connection);

/* Sends commands together, at least one, and waits for all answers. Sets `answer` to that of the last command, a string or several put together, valid until
 * the next call; its `at` is NULL if Redis has no value. The functions of store.lua are loaded when Redis does not know them. */
enum mz_store_status mz_connection_call(struct mz_connection *connection, const struct mz_command *commands, size_t n,
                                        struct mz_bytes *answer, struct mz_store_error *error);

/* Returns the name of a function of store.lua, without its own part: "LIBRARY_". */
const char *mz_connection_functions(void);

#endif
