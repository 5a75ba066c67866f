/* SPDX-License-Identifier: MIT
 *
 * Functions whose effects reach beyond the program. All take at most six integers or pointers, and so can be passed on
 * without knowing their types; for that reason no header that declares them is included here.
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define X(name, ...) #name,
    MZ_HOOKS_UNCONTROLLED(X) MZ_UNCONTROLLED_FILLING(X)
#undef X
        "syscall",
    "writing to a large file",
    "kill",
    "open in a state search",
    "mmap in a state search",
    "settings of the process",
    "switching stacks by code of its own",
    "file of several threads",
    "mapped file",
    "mprotect",
    "asynchronous cancelling",
    "scheduling of another process",
    MZ_SESSION_UNSEEN,
};

void mz_uncontrolled(enum mz_uncontrolled call)
{
	struct mz_session_call *counted = &mz_rt.session->uncontrolled[call];
	if (!*counted->name) snprintf(counted->name, sizeof counted->name, "%s", names[call]);
	counted->calls++;
}

static void keep_module(uint64_t base, uint64_t start, uint64_t end, const char *path)
{
	struct mz_session_waiting *waiting = &mz_rt.session->waiting;
	if (waiting->code < start || waiting->code >= end) return;
	waiting->module = (struct mz_session_module){.base = base, .start = start, .end = end};
	snprintf(waiting->module.path, sizeof waiting->module.path, "%s", path);
}

void mz_call_begins(const struct mz_fiber *self, const char *name, uintptr_t caller)
{
	struct mz_session_waiting *waiting = &mz_rt.session->waiting;
	mz_caller_deepens();
	waiting->code = caller;
	if (caller < waiting->module.start || caller >= waiting->module.end) mz_image_modules(keep_module);
	strncpy(waiting->name, name, sizeof waiting->name - 1);
	atomic_store_explicit(&waiting->thread, self->index + 1, memory_order_release);
}

void mz_call_ends(void)
{
	atomic_store_explicit(&mz_rt.session->waiting.thread, 0, memory_order_relaxed);
}

bool mz_uncontrolled_any(void)
{
	bool any = false;
	for (unsigned call = 0; call < MZ_UNCONTROLLED_COUNT; call++)
		any |= mz_rt.session->uncontrolled[call].calls > 0;
	return any;
}

enum mz_uncontrolled mz_uncontrolled_find(const char *name)
{
	unsigned call = 0;
	while (call < MZ_UNCONTROLLED_COUNT && strcmp(names[call], name) != 0) call++;
	return (enum mz_uncontrolled)call;
}

typedef long word;
typedef word function(word, word, word, word, word, word);

#define X(name, ...)                                                                                                   \
	MZ_EXPORT MZ_PASSED_ON word mz_uncontrolled_##name(word a, word b, word c, word d, word e,                     \
	                                                   word f) __asm__(#name);                                     \
	word mz_uncontrolled_##name(word a, word b, word c, word d, word e, word f)                                    \
	{                                                                                                              \
		static function *real;                                                                                 \
		static bool is_point;                                                                                  \
		if (!real) is_point = mz_request_is_point(#name);                                                      \
		if (!real) real = (function *)mz_real_find(#name);                                                     \
		if (!MZ_SELF()) return real(a, b, c, d, e, f);                                                         \
		if (is_point) mz_request_point(mz_current, MZ_CALLER());                                               \
		mz_uncontrolled(MZ_UNCONTROLLED_##name);                                                               \
		mz_call_begins(mz_current, #name, MZ_CALLER());                                                        \
		word result = real(a, b, c, d, e, f);                                                                  \
		mz_call_ends();                                                                                        \
		return result;                                                                                         \
	}
MZ_HOOKS_UNCONTROLLED(X)
#undef X
