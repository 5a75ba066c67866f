/* SPDX-License-Identifier: MIT
 *
 * An invariant that changes what it looks at.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @registered
 */
#include <mazurka.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int looked, x;

static int counts(void *unused)
{
	(void)unused;
	return ++looked < 100;
}

int main(void)
{
	mz_invariant(counts, NULL); /* @registered */
	atomic_store(&x, 1);
	return 0;
}
