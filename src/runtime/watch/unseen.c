/* SPDX-License-Identifier: MIT */
#include "runtime/watch/unseen.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/race.h"
#include <stdio.h>

static bool blind; /* the program has asked to ignore some of its writes: nothing is checked any more */

void mz_unseen_ignore(void)
{
	blind = true;
}

/* Reports whether the address is of a variable or on the heap. Other memory changes in other ways: stacks are reused,
 * mapped memory is the kernel's. */
static bool is_known(uintptr_t address)
{
	return mz_image_saved(address) || mz_heap_holds(address);
}

static void keep_module(uint64_t base, uint64_t start, uint64_t end, const char *path)
{
	struct mz_session_unseen *unseen = &mz_rt.session->unseen;
	const uint64_t addresses[] = {unseen->object, unseen->code};
	for (size_t i = 0; i < 2; i++) {
		struct mz_session_module *module = &unseen->modules[i];
		if (addresses[i] < start || addresses[i] >= end) continue;
		*module = (struct mz_session_module){.base = base, .start = start, .end = end};
		snprintf(module->path, sizeof module->path, "%s", path);
	}
}

/* Lets every thread acquire what all others have done, by the object: the unseen writer may have released that, and no
 * race that it might have prevented is reported. */
static void release_for_all(struct mz_object *object)
{
	for (uint32_t t = 0; t < mz_rt.nfibers; t++)
		if (mz_rt.fibers[t].state != MZ_FIBER_UNUSED) mz_race_publish(&mz_rt.fibers[t], &object->clock);
}

static void found(struct mz_object *object, size_t size, uintptr_t caller)
{
	struct mz_session_unseen *unseen = &mz_rt.session->unseen;
	if (blind || !is_known(object->address) || mz_race_explains(object->address, size)) return;
	release_for_all(object);
	mz_uncontrolled(MZ_UNCONTROLLED_UNSEEN_WRITE);
	if (atomic_exchange(&unseen->claimed, 1)) return;
	unseen->object = object->address;
	unseen->size = (uint32_t)size;
	unseen->code = caller;
	mz_image_modules(keep_module);
	atomic_store(&unseen->filled, 1);
}

/* Notes the value with which the object begins every execution. */
static void learn_first(struct mz_object *object, size_t size)
{
	const void *saved = mz_image_saved(object->address);
	if (!saved && mz_image_holds(object->address)) return; /* the page was never written to */
	object->first = saved ? mz_unseen_number(saved, size) : 0;
	object->first_size = saved ? (uint8_t)size : MZ_SEEN_UNKNOWN;
	mz_unseen_wrote(object, object->first_size, object->first);
}

void mz_unseen_differs(struct mz_object *object, size_t size, uint64_t value, uintptr_t caller)
{
	if ((object->address & 7) + size > 8) {
		object->first_size = MZ_SEEN_UNKNOWN; /* spans two words: too rare to be checked */
		return;
	}
	if (!object->seen_size) learn_first(object, size);
	if (object->seen_size == size && object->seen != value) found(object, size, caller);
}
