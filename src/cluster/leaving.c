/* SPDX-License-Identifier: MIT */
#include "cluster/leaving.h"
#include "explorer/supervisor.h"
#include <time.h>

#define HANDING_OVER 3000 /* milliseconds for handing over what the machine has */

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

void mz_leaving_init(struct mz_leaving *leaving, double seconds)
{
	*leaving = (struct mz_leaving){.phase = MZ_LEAVING_COMES};
	if (seconds > 0 && seconds < 1e12) leaving->until = now() + (uint64_t)(seconds * 1000);
}

void mz_leaving_tell(struct mz_leaving *leaving)
{
	if (atomic_load(&leaving->told) == 0) atomic_store(&leaving->since, now());
	atomic_fetch_add(&leaving->told, 1);
}

/* Returns when the machine was told to leave; 0: it was not. */
static uint64_t told_at(struct mz_leaving *leaving)
{
	if (atomic_load(&leaving->phase) != MZ_LEAVING_WORKS)
		while (mz_workers_take_interruption()) mz_leaving_tell(leaving);
	if (atomic_load(&leaving->told)) return atomic_load(&leaving->since);
	return leaving->until && now() >= leaving->until ? leaving->until : 0;
}

bool mz_leaving_is_told(struct mz_leaving *leaving)
{
	return told_at(leaving) != 0;
}

bool mz_leaving_is_due(void *self)
{
	struct mz_leaving *leaving = self;
	uint64_t since = told_at(leaving);
	if (!since) return false;
	bool at_once = atomic_load(&leaving->phase) == MZ_LEAVING_COMES || atomic_load(&leaving->told) > 1;
	return at_once || now() >= since + HANDING_OVER;
}
