/* SPDX-License-Identifier: MIT
 *
 * _exit with a status, past the handlers.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: exit @here
 */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void)
{
	assert(!"called");
}

int main(void)
{
	atexit(never);
	_exit(7); /* @here */
}
