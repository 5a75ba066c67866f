/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/lost.h"
#include "runtime/memory/memory.h"

static struct {
	const struct mz_fiber *thread;
	uintptr_t code; /* 0: none is set */
} place;

void mz_lost_set_place(const struct mz_fiber *self, uintptr_t code)
{
	place.thread = self;
	place.code = code;
}

uintptr_t mz_lost_place(uintptr_t code)
{
	return MZ_UNLIKELY(place.code) && place.thread == mz_current ? place.code : code;
}

/* Copies a text, cut to the room that there is. The functions of the C library for that are hooks: what they access here
 * would count as accesses of the program. */
static void copy_text(char *to, size_t room, const char *text)
{
	size_t length = MZ_REAL(strnlen)(text, room - 1);
	MZ_REAL(memcpy)(to, text, length);
	to[length] = '\0';
}

static struct mz_session_lost *placed; /* the place whose module is looked for */

static void keep_module(uint64_t base, uint64_t start, uint64_t end, const char *path)
{
	if (placed->code < start || placed->code >= end) return;
	placed->module = (struct mz_session_module){.base = base, .start = start, .end = end};
	copy_text(placed->module.path, sizeof placed->module.path, path);
}

/* Counts that something happened at a place, in a list of places. Returns the place if it is new; else, or if there is
 * no room for it, NULL. */
static struct mz_session_lost *count_at(struct mz_session_lost *list, uint32_t *count, uint32_t most, uintptr_t code)
{
	uint32_t n = 0;
	while (n < *count && list[n].code != code) n++;
	if (n == most) return NULL;
	list[n].count++;
	if (n < *count) return NULL;
	list[n].code = code;
	placed = &list[n];
	mz_image_modules(keep_module);
	*count = n + 1;
	return placed;
}

void mz_inputs_lose(uint32_t kind, const char *what, uintptr_t code)
{
	struct mz_session_inputs *inputs = &mz_rt.session->inputs;
	inputs->lost++;
	struct mz_session_lost *loss = count_at(inputs->losses, &inputs->nlosses, MZ_SESSION_LOSSES, code);
	if (!loss) return;
	loss->kind = kind;
	copy_text(loss->what, sizeof loss->what, what ? what : "");
}

void mz_inputs_limit(uintptr_t code)
{
	struct mz_session_inputs *inputs = &mz_rt.session->inputs;
	inputs->limited++;
	count_at(inputs->limits, &inputs->nlimits, MZ_SESSION_LIMITS, code);
}

bool mz_inputs_any_lost(void)
{
	return mz_rt.session->inputs.lost || mz_rt.session->inputs.disagreed || mz_rt.session->inputs.missed;
}

void mz_inputs_refuse_lost(void)
{
	if (mz_inputs_any_lost())
		mz_unsupported(
		    "inputs do not lead where they should, because it was not followed how some values depend on them");
}
