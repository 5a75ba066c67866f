/* SPDX-License-Identifier: MIT
 *
 * How every kind of exploration tells its end.
 */
#ifndef MZ_EXPLORER_OUTCOME_H
#define MZ_EXPLORER_OUTCOME_H

#include "session/session.h"
#include <stdio.h>
#include <time.h>

static inline uint64_t mz_now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static inline void mz_outcome_set(struct mz_session *session, enum mz_outcome outcome, const char *message)
{
	session->outcome = (uint32_t)outcome;
	snprintf(session->message, sizeof session->message, "%s", message);
}

#endif
