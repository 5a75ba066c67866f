/* SPDX-License-Identifier: MIT
 *
 * Functions of pthread and its neighbours that are not modelled: in an execution they end the run with their name,
 * never silently. By itself a program gets the real ones. All take at most six integers or pointers, and so can be
 * passed on without knowing their types; for that reason no header that declares them is included here.
 */
#include "runtime/image.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include <stdio.h>

typedef long word;

static void *real_or_end(const char *name, uintptr_t caller)
{
	if (mz_current && mz_image_owns_code(caller)) {
		char why[128];
		snprintf(why, sizeof why, "it calls %s, which is not modelled", name);
		mz_unsupported(why);
	}
	return mz_real_find(name);
}

#define UNSUPPORTED(name)                                                                                              \
	MZ_EXPORT word mz_unsupported_##name(word a, word b, word c, word d, word e, word f) __asm__(#name);           \
	word mz_unsupported_##name(word a, word b, word c, word d, word e, word f)                                     \
	{                                                                                                              \
		word (*real)(word, word, word, word, word, word) =                                                     \
		    (word(*)(word, word, word, word, word, word))real_or_end(#name, MZ_CALLER());                      \
		return real(a, b, c, d, e, f);                                                                         \
	}

UNSUPPORTED(pthread_getcpuclockid)
UNSUPPORTED(pthread_sigqueue)
UNSUPPORTED(pthread_atfork)
UNSUPPORTED(pthread_mutex_getprioceiling)
UNSUPPORTED(pthread_mutex_setprioceiling)
UNSUPPORTED(fork)
UNSUPPORTED(vfork)
