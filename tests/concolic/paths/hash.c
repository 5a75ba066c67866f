/* SPDX-License-Identifier: MIT
 *
 * A hash of three letters is that of a name, or not.
 *
 * expect: all 2
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <stdint.h>

static uint32_t hash(const char *s, int length)
{
	uint32_t h = 5381;
	for (int i = 0; i < length; i++) h = (h << 5) + h + (unsigned char)s[i];
	return h;
}

int main(void)
{
	char s[3];
	mz_symbolic(s, sizeof s, "s");
	assert(hash(s, 3) != hash("key", 3));
	return 0;
}
