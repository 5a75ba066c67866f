/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/lost.h"
#include "runtime/memory/memory.h"
#include <stdio.h>

static struct mz_session_lost *placed; /* the loss whose module is looked for */

static void keep_module(uint64_t base, uint64_t start, uint64_t end, const char *path)
{
	if (placed->code < start || placed->code >= end) return;
	placed->module = (struct mz_session_module){.base = base, .start = start, .end = end};
	snprintf(placed->module.path, sizeof placed->module.path, "%s", path);
}

void mz_inputs_lose(uint32_t kind, const char *what, uintptr_t code)
{
	struct mz_session_inputs *inputs = &mz_rt.session->inputs;
	uint32_t n = 0;
	inputs->lost++;
	while (n < inputs->nlosses && inputs->losses[n].code != code) n++;
	if (n == MZ_SESSION_LOSSES) return;
	struct mz_session_lost *loss = &inputs->losses[n];
	loss->count++;
	if (n < inputs->nlosses) return;
	loss->code = code;
	loss->kind = kind;
	snprintf(loss->what, sizeof loss->what, "%s", what ? what : "");
	placed = loss;
	mz_image_modules(keep_module);
	inputs->nlosses = n + 1;
}

void mz_inputs_refuse_lost(void)
{
	if (mz_rt.session->inputs.lost || mz_rt.session->inputs.disagreed)
		mz_unsupported(
		    "inputs do not lead where they should, because it was not followed how some values depend on them");
}
