/* SPDX-License-Identifier: MIT */
#include "runtime/state.h"
#include "base/alloc.h"
#include "runtime/exit.h"
#include "runtime/heap.h"
#include "runtime/image.h"
#include "runtime/leaving.h"
#include "runtime/model.h"
#include "runtime/race.h"
#include "runtime/runtime.h"
#include "runtime/spin.h"
#include "runtime/time.h"

void *mz_state_room_slow(struct mz_state *state, size_t size)
{
	uint8_t *grown = mz_grow(state->bytes, &state->capacity, state->size + size, 1);
	if (!grown) mz_unsupported("out of memory");
	state->bytes = grown;
	state->size += size;
	return grown + state->size - size;
}

/* What the scheduler has of the execution. */
struct progress {
	uint64_t signature;
	uint32_t nsteps;
	uint32_t nenabled;
	uint32_t signals_pending;
	uint32_t current;
	uint32_t nfindings;
	uint32_t nfibers;
	int exit_status;
	struct mz_fiber *exiting;
};

void mz_state_store(struct mz_state *state)
{
	state->size = 0;
	struct progress *progress = mz_state_room(state, sizeof *progress);
	*progress = (struct progress){mz_rt.signature,       mz_rt.nsteps,       mz_rt.nenabled,
	                              mz_rt.signals_pending, mz_rt.view.current, mz_rt.nfindings,
	                              mz_rt.nfibers,         mz_rt.exit_status,  mz_rt.exiting};
	mz_heap_store(state);
	mz_fiber_store_all(state);
	mz_image_store(state);
	mz_model_store(state);
	mz_race_store(state);
	mz_exit_store(state);
	mz_spin_store(state);
	mz_time_store(state);
	mz_leaving_store(state);
}

void mz_state_load(struct mz_state *state)
{
	state->at = 0;
	const struct progress *progress = mz_state_next(state, sizeof *progress);
	mz_rt.signature = progress->signature;
	mz_rt.nsteps = progress->nsteps;
	mz_rt.nenabled = progress->nenabled;
	mz_rt.signals_pending = progress->signals_pending;
	mz_rt.view.current = progress->current;
	mz_rt.nfindings = progress->nfindings;
	mz_rt.exit_status = progress->exit_status;
	mz_rt.exiting = progress->exiting;
	mz_heap_load(state, progress->nfibers);
	mz_fiber_load_all(state, progress->nfibers);
	mz_image_load(state);
	mz_model_load(state);
	mz_race_load(state);
	mz_exit_load(state);
	mz_spin_load(state);
	mz_time_load(state);
	mz_leaving_load(state);
}
