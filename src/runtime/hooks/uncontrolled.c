/* SPDX-License-Identifier: MIT
 *
 * Functions whose effects reach beyond the program. All take at most six integers or pointers, and so can be passed on
 * without knowing their types; for that reason no header that declares them is included here.
 */
#include "runtime/uncontrolled.h"
#include "runtime/image.h"
#include "runtime/imports.h"
#include "runtime/real.h"
#include "runtime/request.h"
#include "runtime/runtime.h"
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define X(name) #name,
    MZ_UNCONTROLLED(X) MZ_UNCONTROLLED_FILLING(X)
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
    MZ_SESSION_UNSEEN,
};

void mz_uncontrolled(enum mz_uncontrolled call)
{
	struct mz_session_call *counted = &mz_rt.session->uncontrolled[call];
	if (!*counted->name) snprintf(counted->name, sizeof counted->name, "%s", names[call]);
	counted->calls++;
}

enum mz_uncontrolled mz_uncontrolled_find(const char *name)
{
	unsigned call = 0;
	while (call < MZ_UNCONTROLLED_COUNT && strcmp(names[call], name) != 0) call++;
	return (enum mz_uncontrolled)call;
}

typedef long word;
typedef word function(word, word, word, word, word, word);

#define X(name)                                                                                                        \
	MZ_EXPORT MZ_PASSED_ON word mz_uncontrolled_##name(word a, word b, word c, word d, word e,                     \
	                                                   word f) __asm__(#name);                                     \
	word mz_uncontrolled_##name(word a, word b, word c, word d, word e, word f)                                    \
	{                                                                                                              \
		static function *real;                                                                                 \
		static bool is_point;                                                                                  \
		if (!real) is_point = mz_request_is_point(#name);                                                      \
		if (!real) real = (function *)mz_real_find(#name);                                                     \
		if (MZ_SELF() && is_point) mz_request_point(mz_current, MZ_CALLER());                                  \
		if (MZ_SELF()) mz_uncontrolled(MZ_UNCONTROLLED_##name);                                                \
		return real(a, b, c, d, e, f);                                                                         \
	}
MZ_UNCONTROLLED(X)
#undef X
