/* SPDX-License-Identifier: MIT */
#include "runtime/states/parts.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"

/* ---- from the beginning ---- */

#define RESTORE__(part)
#define RESTORE_RESTORED(part) mz_##part##_restore();
#define RESET__(part)
#define RESET_RESET(part) mz_##part##_reset();

void mz_parts_restore_world(void)
{
#define X(part, back, reset, stored, identity) RESTORE_##back(part)
	MZ_PARTS(X)
#undef X
}

void mz_parts_restore(void)
{
	mz_parts_restore_world();
	mz_fiber_reset_all();
	mz_heap_restore(); /* before the image: it looks at what is known of blocks, and some of that is in there */
	mz_image_restore();
}

void mz_parts_reset(void)
{
	mz_parts_restore();
#define X(part, back, reset, stored, identity) RESET_##reset(part)
	MZ_PARTS(X)
#undef X
}

/* ---- states ---- */

/* A bit for each part that is stored only where it is used: other programs store one word for all of these parts. */
enum {
#define X(part, back, reset, stored, identity) PLACE_##part,
	MZ_PARTS(X)
#undef X
};

#define USED__(part) 0
#define USED_STORED(part) 0
#define USED_SELDOM(part) (mz_##part##_is_used() ? 1U << PLACE_##part : 0)
#define STORE__(part)
#define STORE_STORED(part) mz_##part##_store(state);
#define STORE_SELDOM(part)                                                                                             \
	if (used >> PLACE_##part & 1) mz_##part##_store(state);
#define LOAD__(part)
#define LOAD_STORED(part) mz_##part##_load(state);
#define LOAD_SELDOM(part)                                                                                              \
	if ((used | now) >> PLACE_##part & 1) mz_##part##_load(used >> PLACE_##part & 1 ? state : NULL);

static uint32_t used_seldom(void)
{
#define X(part, back, reset, stored, identity) USED_##stored(part) |
	return MZ_PARTS(X) 0;
#undef X
}

void mz_parts_store_shared(struct mz_state *state)
{
	state->size = 0;
	mz_protection_lift();
	if (state->mirror) mz_mirror_begin(state->mirror);
	mz_heap_store(state);
	mz_image_store(state);
	mz_state_align(state);
	mz_protection_put_back();
}

void mz_parts_store_rest(struct mz_state *state)
{
	uint64_t used = used_seldom(); /* a whole word, so that what follows is aligned */
	mz_protection_lift();
	mz_fiber_store_all(state);
	mz_protection_put_back();
	mz_state_put(state, &used, sizeof used);
#define X(part, back, reset, stored, identity) STORE_##stored(part)
	MZ_PARTS(X)
#undef X
}

void mz_parts_load(struct mz_state *state)
{
	uint64_t used, now = used_seldom();
	state->at = 0;
	mz_protection_lift();
	mz_heap_load(state);
	mz_image_load(state);
	mz_state_skip_to_aligned(state);
	mz_fiber_load_all(state);
	mz_state_get(state, &used, sizeof used);
#define X(part, back, reset, stored, identity) LOAD_##stored(part)
	MZ_PARTS(X)
#undef X
	mz_protection_put_back();
}

#define IDENTITY__(part)
#define IDENTITY_STATE(part) mz_##part##_store(state);
#define IDENTITY_IDENTITY(part) mz_##part##_identity(state);

void mz_parts_identity(struct mz_state *state)
{
#define X(part, back, reset, stored, identity) IDENTITY_##identity(part)
	MZ_PARTS(X)
#undef X
}
