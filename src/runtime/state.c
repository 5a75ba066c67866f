/* SPDX-License-Identifier: MIT */
#include "runtime/state.h"
#include "base/alloc.h"
#include "base/chunks.h"
#include "runtime/descriptor.h"
#include "runtime/exit.h"
#include "runtime/heap.h"
#include "runtime/image.h"
#include "runtime/invariant.h"
#include "runtime/leaving.h"
#include "runtime/model.h"
#include "runtime/plugin.h"
#include "runtime/protection.h"
#include "runtime/race.h"
#include "runtime/runtime.h"
#include "runtime/signals.h"
#include "runtime/spin.h"
#include "runtime/surroundings.h"
#include "runtime/time.h"

void *mz_state_room_slow(struct mz_state *state, size_t size)
{
	uint8_t *grown = mz_grow(state->bytes, &state->capacity, state->size + size, 1);
	if (!grown) mz_unsupported("out of memory");
	state->bytes = grown;
	state->size += size;
	return grown + state->size - size;
}

static size_t misaligned(size_t size)
{
	return -size % MZ_CHUNK_SIZE;
}

void mz_state_align(struct mz_state *state)
{
	if (!state->mirror) return;
	size_t more = misaligned(state->size);
	MZ_REAL(memset)(mz_state_room(state, more), 0, more);
}

void mz_state_skip_to_aligned(struct mz_state *state)
{
	if (state->mirror) state->at += misaligned(state->at);
}

/* What the scheduler has of the execution. */
struct progress {
	uint64_t signature;
	uint32_t nsteps;
	uint32_t nenabled;
	uint32_t signals_pending;
	uint32_t current;
	uint32_t nfindings;
	int exit_status;
	struct mz_fiber *exiting;
	uint64_t exit_words;
};

static void store_progress(struct mz_state *state)
{
	const struct progress progress = {mz_rt.signature,       mz_rt.nsteps,       mz_rt.nenabled,
	                                  mz_rt.signals_pending, mz_rt.view.current, mz_rt.nfindings,
	                                  mz_rt.exit_status,     mz_rt.exiting,      mz_rt.exit_words};
	mz_state_put(state, &progress, sizeof progress);
}

static void load_progress(struct mz_state *state)
{
	const struct progress *progress = mz_state_next(state, sizeof *progress);
	mz_rt.signature = progress->signature;
	mz_rt.nsteps = progress->nsteps;
	mz_rt.nenabled = progress->nenabled;
	mz_rt.signals_pending = progress->signals_pending;
	mz_rt.view.current = progress->current;
	mz_rt.nfindings = progress->nfindings;
	mz_rt.exit_status = progress->exit_status;
	mz_rt.exiting = progress->exiting;
	mz_rt.exit_words = progress->exit_words;
}

/* What few programs have costs others one word. */
#define SURROUNDINGS 1U
#define PROTECTION 2U

static uint32_t used_seldom(void)
{
	return (mz_surroundings_are_changed() ? SURROUNDINGS : 0) | (mz_protection_is_used() ? PROTECTION : 0);
}

static void store_seldom(struct mz_state *state)
{
	uint32_t used = used_seldom();
	mz_state_put(state, &used, sizeof used);
	if (used & SURROUNDINGS) mz_surroundings_store(state);
	if (used & PROTECTION) mz_protection_store(state);
}

static void load_seldom(struct mz_state *state)
{
	uint32_t used, now = used_seldom();
	mz_state_get(state, &used, sizeof used);
	if ((used | now) & SURROUNDINGS) mz_surroundings_load(used & SURROUNDINGS ? state : NULL);
	if ((used | now) & PROTECTION) mz_protection_load(used & PROTECTION ? state : NULL);
}

void mz_state_store_shared(struct mz_state *state)
{
	state->size = 0;
	mz_protection_lift();
	if (state->mirror) mz_mirror_begin(state->mirror);
	mz_heap_store(state);
	mz_image_store(state);
	mz_state_align(state);
	mz_protection_put_back();
}

void mz_state_store_rest(struct mz_state *state)
{
	mz_protection_lift();
	mz_fiber_store_all(state);
	mz_protection_put_back();
	store_progress(state);
	mz_model_store(state);
	mz_race_store(state);
	mz_exit_store(state);
	mz_invariants_store(state);
	mz_spin_store(state);
	mz_time_store(state);
	mz_leaving_store(state);
	mz_descriptors_store(state);
	mz_signals_store(state);
	mz_plugin_store(state);
	store_seldom(state);
}

void mz_state_load(struct mz_state *state)
{
	state->at = 0;
	mz_protection_lift();
	mz_heap_load(state);
	mz_image_load(state);
	mz_state_skip_to_aligned(state);
	mz_fiber_load_all(state);
	load_progress(state);
	mz_model_load(state);
	mz_race_load(state);
	mz_exit_load(state);
	mz_invariants_load(state);
	mz_spin_load(state);
	mz_time_load(state);
	mz_leaving_load(state);
	mz_descriptors_load(state);
	mz_signals_load(state);
	mz_plugin_restore(state);
	load_seldom(state);
	mz_protection_put_back();
}
