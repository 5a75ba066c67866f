/* SPDX-License-Identifier: MIT
 *
 * fft N: a discrete Fourier transform of N samples by N threads, N a power of two: each computes one of its values and
 * puts it into the result under the one lock there is.
 */
#include "../threads.h"
#include <assert.h>
#include <complex.h>
#include <math.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double complex samples[MAX_THREADS], result[MAX_THREADS];
static int size, finished;

/* Value k of the transform of n samples, `stride` apart. */
static double complex transform(const double complex *from, int n, int stride, int k)
{
	if (n == 1) return *from;
	double complex even = transform(from, n / 2, 2 * stride, k),
	               odd = transform(from + stride, n / 2, 2 * stride, k);
	return even + cexp(-2 * acos(-1) * I * k / n) * odd;
}

static void *run(void *arg)
{
	double complex value = transform(samples, size, 1, number(arg));
	pthread_mutex_lock(&mutex);
	result[number(arg)] = value;
	finished++;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(int argc, char **argv)
{
	size = argument(argc, argv, 1, 8, MAX_THREADS);
	if (size & (size - 1)) return 2;
	samples[1 % size] = 1; /* so that all values have the absolute value 1 */
	run_threads(size, run);
	assert(finished == size);
	for (int k = 0; k < size; k++) assert(fabs(cabs(result[k]) - 1) < 1e-9);
	return 0;
}
