/* SPDX-License-Identifier: MIT
 *
 * Insertion sort of three bytes: six orders. That they are sorted then follows from the path.
 *
 * expect: all 6
 */
#include <assert.h>
#include <mazurka.h>

int main(void)
{
	unsigned char a[3];
	mz_symbolic(a, sizeof a, "a");
	for (int i = 1; i < 3; i++) {
		unsigned char moved = a[i];
		int j = i;
		while (j > 0 && a[j - 1] > moved) {
			a[j] = a[j - 1];
			j--;
		}
		a[j] = moved;
	}
	assert(a[0] <= a[1]);
	assert(a[1] <= a[2]);
	return 0;
}
