/* SPDX-License-Identifier: MIT
 *
 * A struct is copied, passed and returned by value.
 *
 * expect: all 3
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>

struct record {
	char a;
	short b;
	int c[2];
};

static struct record turned(struct record from)
{
	struct record to = from;
	to.c[0] = from.c[1];
	to.c[1] = from.c[0];
	return to;
}

int main(void)
{
	struct record r, copy;
	mz_symbolic(&r, sizeof r, "r");
	copy = r;
	copy = turned(copy);
	if (copy.c[0] != 5) return 0;
	assert(copy.b != -2 || r.c[1] != 5);
	return 0;
}
