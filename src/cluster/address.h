/* SPDX-License-Identifier: MIT
 *
 * Where a store is: redis://[user@]host[:port]/name, and the password, which is never part of that.
 */
#ifndef MZ_CLUSTER_ADDRESS_H
#define MZ_CLUSTER_ADDRESS_H

#include "cluster/error.h"
#include <stdbool.h>
#include <stdint.h>

#define MZ_REDIS_PORT 6379

struct mz_address {
	char user[128]; /* empty: Redis's default user */
	char host[256];
	uint16_t port;
	char name[101];      /* of the run: letters, digits, '.', '_' and '-' */
	char password[1024]; /* empty: none */
};

/* Reads a URL. A line that refuses it does not repeat it: there may be a password in it. */
enum mz_store_status mz_address_read(struct mz_address *address, const char *url, struct mz_store_error *error);

/* Removes MAZURKA_REDIS_PASSWORD and MAZURKA_REDIS_PASSWORD_FILE from the environment, so that no program inherits them, and keeps
 * their values for mz_address_read_password(). To be called before any program is started. */
void mz_password_hide(void);

/* Reads the password that MAZURKA_REDIS_PASSWORD had, or from the file that MAZURKA_REDIS_PASSWORD_FILE named, which nobody else
 * may read. There need not be one. */
enum mz_store_status mz_address_read_password(struct mz_address *address, struct mz_store_error *error);

bool mz_address_is_local(const struct mz_address *address);

#endif
