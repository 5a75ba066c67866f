/* SPDX-License-Identifier: MIT
 *
 * Whether this machine has been told to leave its run, by a signal or because its time is over, so that whatever waits for Redis or
 * for other machines is given up. A machine that has nothing of the run leaves at once; one that has, after a moment in
 * which it hands that over. Told twice, it leaves at once in any case.
 *
 * The signals are blocked, and stay pending until somebody takes them: the crew while its workers are at work (crew.c), else
 * mz_leaving_is_due().
 */
#ifndef MZ_CLUSTER_LEAVING_H
#define MZ_CLUSTER_LEAVING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum mz_leaving_phase {
	MZ_LEAVING_COMES,      /* it has nothing yet */
	MZ_LEAVING_WORKS,      /* its crew is at work, and takes signals */
	MZ_LEAVING_HANDS_OVER, /* its crew is gone */
};

struct mz_leaving {
	_Atomic uint32_t phase; /* enum mz_leaving_phase */
	_Atomic uint32_t told;  /* how often a signal has said so */
	_Atomic uint64_t since; /* milliseconds: when the first one did */
	uint64_t until;         /* milliseconds: when its time is over; 0: never */
};

/* Begins, with so many seconds; 0: there is no limit. */
void mz_leaving_init(struct mz_leaving *leaving, double seconds);

/* Says that a signal was taken. */
void mz_leaving_tell(struct mz_leaving *leaving);

/* Returns whether the machine has been told to leave, or its time is over. */
bool mz_leaving_is_told(struct mz_leaving *leaving);

/* Returns whether what waits is to be given up now, for struct mz_store_options. `self` is a struct mz_leaving. */
bool mz_leaving_is_due(void *self);

#endif
