/* SPDX-License-Identifier: MIT
 *
 * A function is called by a pointer from a table: each of four.
 *
 * expect: all 4
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>

static int zero(void)
{
	return 0;
}
static int one(void)
{
	return 1;
}
static int two(void)
{
	return 2;
}
static int three(void)
{
	return 3;
}

int main(void)
{
	static int (*const table[])(void) = {zero, one, two, three};
	unsigned char i;
	mz_symbolic(&i, sizeof i, "i");
	assert(table[i & 3]() != 2);
	return 0;
}
