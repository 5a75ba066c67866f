/* SPDX-License-Identifier: MIT
 *
 * In place of connection.c where the client library is not installed: no store can be opened.
 */
#include "base/bug.h"
#include "cluster/connection.h"

struct mz_connection *mz_connection_new(const struct mz_address *address, const struct mz_store_options *options,
                                        struct mz_store_error *error)
{
	(void)address, (void)options;
	mz_store_fail(error, MZ_STORE_REFUSED,
	              "this mazurka was built without hiredis, the client library of Redis (Debian: libhiredis-dev)");
	return NULL;
}

void mz_connection_free(struct mz_connection *connection)
{
	(void)connection;
}

enum mz_store_status mz_connection_call(struct mz_connection *connection, const struct mz_command *commands, size_t n,
                                        struct mz_bytes *answer, struct mz_store_error *error)
{
	(void)connection, (void)commands, (void)n, (void)answer, (void)error;
	MZ_BUG("there is no connection");
}

const char *mz_connection_functions(void)
{
	return "";
}
