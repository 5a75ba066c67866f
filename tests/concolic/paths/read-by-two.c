/* SPDX-License-Identifier: MIT
 *
 * Two threads read standard input, one of them a line of two bytes at most, the other a byte. If that comes first there is
 * none; or no second byte; or the second one ends the line; or not, and there is no third; or there is: 5. If the line
 * comes first there is none; or its first byte ends it, and there is a second or not; or does not, and there is no second;
 * or a second, and a third or not: 6.
 *
 * expect: all 11
 * finding: assertion
 * options: --symbolic-stdin 3
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char line[3];
static int byte;

static void *read_line(void *unused)
{
	return fgets(line, sizeof line, stdin) ? line : unused;
}

static void *read_byte(void *unused)
{
	byte = getchar();
	return unused;
}

int main(void)
{
	pthread_t a, b;
	void *found;
	pthread_create(&a, NULL, read_line, NULL);
	pthread_create(&b, NULL, read_byte, NULL);
	pthread_join(a, &found);
	pthread_join(b, NULL);
	assert(!found || byte != EOF);
	return 0;
}
