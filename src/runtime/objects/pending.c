/* SPDX-License-Identifier: MIT */
#include "runtime/objects/pending.h"
#include "runtime/core/core.h"
#include <string.h>

struct pending_signal {
	struct mz_signal_info info;
	uint64_t whom; /* a whole word, so that there is no padding: all bytes tell states apart */
};
_Static_assert(sizeof(struct pending_signal) == sizeof(struct mz_signal_info) + 8, "no padding");

/* Ordered by whom they were sent to, then by number, then by time: what threads do that send to different threads is
 * the same in any order. */
static struct pending_signal *pending;
static size_t npending, capacity;

bool mz_signals_queues(int number)
{
	return number >= 32;
}

static bool is_before(const struct pending_signal *signal, uint32_t whom, int number)
{
	return signal->whom != whom ? signal->whom < whom : signal->info.number < number;
}

static size_t find(uint32_t whom, int number)
{
	size_t at = 0;
	while (at < npending && is_before(&pending[at], whom, number)) at++;
	return at;
}

static bool is_at(size_t at, uint32_t whom, int number)
{
	return at < npending && pending[at].whom == whom && pending[at].info.number == number;
}

void mz_pending_add(uint32_t whom, const struct mz_signal_info *info)
{
	size_t at = find(whom, info->number);
	while (is_at(at, whom, info->number)) at++;
	mz_array_require(&pending, &capacity, npending + 1);
	MZ_REAL(memmove)(&pending[at + 1], &pending[at], (npending - at) * sizeof *pending);
	pending[at] = (struct pending_signal){*info, whom};
	npending++;
}

bool mz_pending_take(uint32_t whom, int number, struct mz_signal_info *info)
{
	size_t at = find(whom, number);
	if (!is_at(at, whom, number)) return false;
	*info = pending[at].info;
	npending--;
	MZ_REAL(memmove)(&pending[at], &pending[at + 1], (npending - at) * sizeof *pending);
	return is_at(at, whom, number);
}

void mz_pending_drop(uint32_t whom, int number)
{
	struct mz_signal_info info;
	while (mz_pending_take(whom, number, &info)) {}
}

/* ---- executions ---- */

void mz_pending_reset(void)
{
	npending = 0;
}

bool mz_pending_is_used(void)
{
	return npending > 0;
}

void mz_pending_store(struct mz_state *state)
{
	mz_state_put(state, &npending, sizeof npending);
	mz_state_put(state, pending, npending * sizeof *pending);
}

void mz_pending_load(struct mz_state *state)
{
	npending = 0;
	if (!state) return;
	size_t n;
	mz_state_get(state, &n, sizeof n);
	mz_array_require(&pending, &capacity, n);
	mz_state_get(state, pending, n * sizeof *pending);
	npending = n;
}
