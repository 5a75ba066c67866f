/* SPDX-License-Identifier: MIT
 *
 * What longjmp() is given comes back from setjmp(), and a function that atexit() is given is called at the end: four
 * values, of which three go on to the end, with one of two functions.
 *
 * expect: all 7
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf place;
static unsigned char jump, last;

static void end(void)
{
	last = 0;
}

static void other_end(void)
{
	last = 1;
}

static void leave(void)
{
	longjmp(place, 10 + (jump & 3));
}

int main(void)
{
	mz_symbolic(&jump, sizeof jump, "jump");
	mz_symbolic(&last, sizeof last, "last");
	int back = setjmp(place);
	if (back == 0) leave();
	assert(back != 12);
	return atexit(last > 7 ? end : other_end);
}
