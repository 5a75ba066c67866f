/* SPDX-License-Identifier: MIT
 *
 * An atomic section is ended twice.
 *
 * finding: misuse @end
 * expect: optimal 1
 */
#include <mazurka.h>

int x;

int main(void)
{
	mz_atomic_begin();
	x++;
	mz_atomic_end();
	mz_atomic_end(); /* @end */
	return 0;
}
