/* SPDX-License-Identifier: MIT
 *
 * Two threads branch on the same input, x < 10 and x < 20: three of the four outcomes are possible, in one trace each.
 *
 * expect: optimal 3
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>

static unsigned char x;
static int small[2];

static void *look(void *unused)
{
	small[0] = 0;
	if (x < 10) small[0] = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	mz_symbolic(&x, sizeof x, "x");
	pthread_create(&thread, NULL, look, NULL);
	if (x < 20) small[1] = 1;
	pthread_join(thread, NULL);
	assert(!small[0] || small[1]);
	return 0;
}
