/* SPDX-License-Identifier: MIT
 *
 * philosophers N (Gueta, Flanagan, Yahav, Sagiv, SPIN 2007): N of them take the left fork, then the right one, and lay
 * both down again, for ever. Once each of them has the left one, nobody can go on. A fork that is taken must have been
 * on the table.
 */
#include "../threads.h"
#include <assert.h>

static pthread_mutex_t forks[MAX_THREADS];
static int n, holder[MAX_THREADS];

static void take(int fork, int who)
{
	pthread_mutex_lock(&forks[fork]);
	assert(holder[fork] == 0);
	holder[fork] = who + 1;
}

static void lay_down(int fork)
{
	holder[fork] = 0;
	pthread_mutex_unlock(&forks[fork]);
}

static void *run(void *arg)
{
	int left = number(arg), right = (left + 1) % n;
	for (;;) {
		take(left, number(arg));
		take(right, number(arg));
		lay_down(right);
		lay_down(left);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	n = argument(argc, argv, 1, 3, MAX_THREADS);
	if (n < 2) return 2;
	for (int i = 0; i < n; i++) pthread_mutex_init(&forks[i], NULL);
	run_for_ever(n, run);
}
