/* SPDX-License-Identifier: MIT
 *
 * Numbers in texts of digits. With five of them strtol() cannot overflow, and the solver need not be convinced of that.
 * With seventeen to the base 16 strtoul() overflows, unless the first digit is 0. So there are those that are not the
 * first number, overflow, are not the second number, and are it.
 *
 * expect: all 4
 * finding: assertion
 */
#include <assert.h>
#include <errno.h>
#include <mazurka.h>
#include <stdlib.h>

static void read_digits(char *text, int count, const char *name)
{
	int all = 1;
	mz_symbolic(text, (size_t)count, name);
	for (int i = 0; i < count; i++) all &= (text[i] >= '0') & (text[i] <= '9');
	mz_assume(all);
}

int main(void)
{
	char few[6] = "", many[18] = "";
	read_digits(few, 5, "few");
	if (strtol(few, NULL, 10) != 31415) return 0;
	read_digits(many, 17, "many");
	unsigned long n = strtoul(many, NULL, 16);
	if (errno) return 0;
	assert(n != 0x1234567890123456);
	return 0;
}
