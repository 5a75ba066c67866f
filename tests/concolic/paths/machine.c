/* SPDX-License-Identifier: MIT
 *
 * A state machine reads three bytes, each of which is a, b or something else: 27 ways.
 *
 * expect: all 27
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>

int main(void)
{
	unsigned char s[3];
	int state = 0;
	mz_symbolic(s, sizeof s, "s");
	for (int i = 0; i < 3; i++) {
		switch (s[i]) {
		case 'a': state = state == 2 ? 3 : 1; break;
		case 'b': state = state == 1 ? 2 : 0; break;
		default: state = 0;
		}
	}
	assert(state != 3);
	return 0;
}
