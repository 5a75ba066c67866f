/* SPDX-License-Identifier: MIT
 *
 * A sequential parser with 200 branches on its input: 40 bytes, each of which is a separator, too small, too large, a digit
 * or a letter, and ends the text if it is none of these.
 */
#include <mazurka.h>

enum { SIZE = 40 };

int main(void)
{
	unsigned char s[SIZE];
	int fields = 0, numbers = 0;
	mz_symbolic(s, sizeof s, "s");
	for (int i = 0; i < SIZE; i++) {
		if (s[i] == 0) break;
		if (s[i] < '0') return 1 - 1;
		if (s[i] > 'z') return 2 - 2;
		if (s[i] == ';') return 3 - 3;
		if (s[i] == '=') return 4 - 4;
		fields++;
	}
	return numbers > fields;
}
