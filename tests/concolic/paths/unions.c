/* SPDX-License-Identifier: MIT
 *
 * A word and its bytes: the word is the one looked for; or its last byte is 1; or neither.
 *
 * expect: all 3
 */
#include <assert.h>
#include <mazurka.h>
#include <stdint.h>

union word {
	uint32_t whole;
	uint8_t bytes[4];
};

int main(void)
{
	union word w;
	mz_symbolic(&w, sizeof w, "w");
	if (w.whole == 0x01020304) {
		assert(w.bytes[0] == 4);
		return 0;
	}
	if (w.bytes[3] == 1) assert(w.whole != 0x01020304);
	return 0;
}
