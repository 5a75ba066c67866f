/* SPDX-License-Identifier: MIT
 *
 * How calls of the store end.
 */
#ifndef MZ_CLUSTER_ERROR_H
#define MZ_CLUSTER_ERROR_H

enum mz_store_status {
	MZ_STORE_OK,
	MZ_STORE_BUSY,    /* the token did not come in time */
	MZ_STORE_ENDED,   /* the run has ended: mz_store_ended() */
	MZ_STORE_FENCED,  /* the token was taken away */
	MZ_STORE_EXPIRED, /* the member was silent too long and is taken for dead */
	MZ_STORE_LOST,    /* Redis has forgotten changes that this member has seen */
	MZ_STORE_ABSENT,  /* there is no such run */
	MZ_STORE_EXISTS,  /* there is such a run already */
	MZ_STORE_UNREACHABLE,
	MZ_STORE_INTERRUPTED,
	MZ_STORE_REFUSED, /* the URL, the password or what Redis was asked for */
	MZ_STORE_DAMAGED, /* what came from Redis is not what a store puts there */
	MZ_STORE_TOO_LARGE,
	MZ_STORE_NO_MEMORY,
};

struct mz_store_error {
	enum mz_store_status status;
	char text[400]; /* one line, for people; never a password */
};

/* Replaces bytes of a text from elsewhere that are not printable ASCII: they must not reach a terminal. */
void mz_store_clean(char *text);

/* Sets both and returns the status. */
__attribute__((format(printf, 3, 4))) enum mz_store_status
mz_store_fail(struct mz_store_error *error, enum mz_store_status status, const char *format, ...);

#endif
