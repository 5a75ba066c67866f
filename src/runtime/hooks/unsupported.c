/* SPDX-License-Identifier: MIT
 *
 * Functions of pthread and its neighbours that are not modelled: in an execution they end the run with their name,
 * never silently. By itself a program gets the real ones. All take at most six integers or pointers, and so can be
 * passed on without knowing their types; for that reason no header that declares them is included here.
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include <stdio.h>
#include <string.h>

typedef long word;

static void end_if_exploring(const char *name, uintptr_t caller)
{
	char why[128];
	if (!mz_current || !mz_image_owns_code(caller)) return;
	snprintf(why, sizeof why, "it calls %s, which is not modelled", name);
	mz_unsupported(why);
}

/* Returns the real function, for programs that are not explored. The caller jumps to it: a function that calls vfork
 * must not return. */
static void *behind(const char *name)
{
	return mz_real_find(strcmp(name, "vfork") == 0 ? "fork" : name);
}

#define UNSUPPORTED(name, ...)                                                                                         \
	MZ_EXPORT word mz_unsupported_##name(word a, word b, word c, word d, word e, word f) __asm__(#name);           \
	word mz_unsupported_##name(word a, word b, word c, word d, word e, word f)                                     \
	{                                                                                                              \
		end_if_exploring(#name, MZ_CALLER());                                                                  \
		return ((word(*)(word, word, word, word, word, word))behind(#name))(a, b, c, d, e, f);                 \
	}
MZ_HOOKS_UNSUPPORTED(UNSUPPORTED)

/* Called, by x86_64/before.S, for functions with any number of arguments or more than six. Returns the real
 * function. */
void *mz_before_process(const char *name, word unused, uintptr_t caller);
void *mz_before_process(const char *name, word unused, uintptr_t caller)
{
	(void)unused;
	end_if_exploring(name[0] == '_' ? name + 2 : name, caller); /* __clone is clone */
	return mz_real_find(name);
}
