/* SPDX-License-Identifier: MIT
 *
 * operations A B ...: one thread for each argument, which is what it does: pairs of letters, r to read or w to write,
 * then an object, a to z. "operations rxwx rxwx" is a counter that two threads increment without a lock.
 */
#include "../threads.h"
#include <stdatomic.h>

static atomic_int objects[256];
static char **scripts;

static void *run(void *arg)
{
	for (const char *at = scripts[number(arg)]; at[0] && at[1]; at += 2) {
		atomic_int *object = &objects[(unsigned char)at[1]];
		if (at[0] == 'w')
			atomic_store(object, number(arg));
		else
			atomic_load(object);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > MAX_THREADS) return 2;
	scripts = argv + 1;
	run_threads(argc - 1, run);
	return 0;
}
