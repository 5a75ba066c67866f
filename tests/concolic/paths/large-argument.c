/* SPDX-License-Identifier: MIT
 *
 * A struct of a thousand bytes is passed by value, and its last byte decides.
 *
 * expect: all 2
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>

struct large {
	char bytes[1003];
};

__attribute__((noinline)) static int ends_in(struct large large, char last)
{
	return large.bytes[1002] == last;
}

int main(void)
{
	struct large large = {{0}};
	mz_symbolic(&large.bytes[1002], 1, "last");
	assert(!ends_in(large, 'z'));
	return 0;
}
