/* SPDX-License-Identifier: MIT */
#include "runtime/real.h"
#include "base/bug.h"

void *mz_real_find(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	if (!found) MZ_BUG(name);
	return found;
}
