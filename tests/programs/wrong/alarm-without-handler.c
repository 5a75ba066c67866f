/* SPDX-License-Identifier: MIT
 *
 * A thread sleeps for longer than its own alarm allows, and nobody handles that.
 *
 * expect: optimal 1
 * finding: crash @sleeps
 */
#include <unistd.h>

int main(void)
{
	alarm(5);
	sleep(4);
	sleep(2); /* @sleeps */
	return 0;
}
