/* SPDX-License-Identifier: MIT
 *
 * pi N: N threads compute a part of the integral of 4 / (1 + x^2) from 0 to 1 each and add it to a common sum under a
 * lock. How many strips there are is in a shared variable that everybody reads again for each strip and nobody writes:
 * N! traces, the orders of the additions, for who knows that reads commute.
 */
#include "../threads.h"
#include <stdatomic.h>

static atomic_int strips = 12;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double pi;
static int threads;

static double strip(int i, int of)
{
	double x = (i + 0.5) / of;
	return 4 / (1 + x * x) / of;
}

static void *run(void *arg)
{
	double sum = 0;
	for (int i = number(arg), of; i < (of = atomic_load(&strips)); i += threads) sum += strip(i, of);
	pthread_mutex_lock(&mutex);
	pi += sum;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(int argc, char **argv)
{
	threads = argument(argc, argv, 1, 3, MAX_THREADS);
	run_threads(threads, run);
	return pi < 3.14 || pi > 3.15;
}
