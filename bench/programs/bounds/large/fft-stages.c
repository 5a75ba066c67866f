/* SPDX-License-Identifier: MIT
 *
 * fft-stages T N [energy | barrier | table]: a fast Fourier transform of N samples by T threads, both powers of two, T at most N / 2.
 * The samples are put in bit-reversed order; then, in each of log N stages, every thread combines its share of the N / 2
 * pairs in place, and all meet at a barrier of one lock and one condition. The factors are in a table, which the first thread
 * that needs one makes. After the last stage each thread adds the energy of its share of the result to a sum, which by
 * Parseval's theorem is N times the energy of the samples. The result is compared with the sums that define a Fourier
 * transform. One word plants a bug, which needs one preemption:
 *   energy   the sum is added to with a load and a store. Assertion
 *   barrier  a thread is the last at the barrier by a count that is taken before the lock. Deadlock
 *   table    the table is said to be made before it is. Assertion, if threads may switch at every access
 */
#include "../../threads.h"
#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>

#define MAX_SAMPLES 64

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t complete = PTHREAD_COND_INITIALIZER;
static int threads, size, arrived, generation;
static atomic_int coming;
static double complex samples[MAX_SAMPLES], values[MAX_SAMPLES], factors[MAX_SAMPLES / 2];
static atomic_bool has_factors;
static atomic_long energy; /* in units of a thousandth */
static bool lost_energy, lost_barrier, early_table;

static int reversed(int n)
{
	int result = 0;
	for (int bit = 1; bit < size; bit *= 2) result = 2 * result + (n & bit ? 1 : 0);
	return result;
}

/* Waits until all threads have come to the barrier. */
static void meet(void)
{
	bool last = lost_barrier && atomic_fetch_add(&coming, 1) % threads == threads - 1;
	pthread_mutex_lock(&mutex);
	int mine = generation;
	if (lost_barrier ? last : ++arrived == threads) {
		arrived = 0;
		generation++;
		pthread_cond_broadcast(&complete);
	}
	while (mine == generation) pthread_cond_wait(&complete, &mutex);
	pthread_mutex_unlock(&mutex);
}

/* Makes the table of factors, the powers of a root of unity, unless it is there. */
static void make_factors(void)
{
	if (atomic_load(&has_factors)) return;
	pthread_mutex_lock(&mutex);
	if (!atomic_load(&has_factors)) {
		if (early_table) atomic_store(&has_factors, true);
		for (int n = 0; n < size / 2; n++) factors[n] = cexp(-2 * acos(-1) * I * n / size);
		atomic_store(&has_factors, true);
	}
	pthread_mutex_unlock(&mutex);
}

/* Combines the values of pair number `pair` of the stage whose pairs are `half` apart. */
static void combine(int half, int pair)
{
	int first = pair / half * 2 * half + pair % half;
	double complex twisted = factors[pair % half * (size / 2 / half)] * values[first + half];
	values[first + half] = values[first] - twisted;
	values[first] += twisted;
}

static void add_energy(int who)
{
	double sum = 0;
	for (int n = who * size / threads; n < (who + 1) * size / threads; n++)
		sum += creal(values[n] * conj(values[n]));
	long rounded = lround(1000 * sum);
	if (lost_energy)
		atomic_store(&energy, atomic_load(&energy) + rounded);
	else
		atomic_fetch_add(&energy, rounded);
}

static void *run(void *arg)
{
	int share = size / 2 / threads;
	make_factors();
	for (int half = 1; half < size; half *= 2) {
		for (int n = 0; n < share; n++) combine(half, number(arg) * share + n);
		meet();
	}
	add_energy(number(arg));
	return NULL;
}

/* Value k of the transform, as it is defined. */
static double complex defined(int k)
{
	double complex sum = 0;
	for (int n = 0; n < size; n++) sum += samples[n] * cexp(-2 * acos(-1) * I * n * k / size);
	return sum;
}

static void check(void)
{
	double sum = 0;
	for (int n = 0; n < size; n++) sum += creal(samples[n] * conj(samples[n]));
	for (int k = 0; k < size; k++) assert(cabs(values[k] - defined(k)) < 1e-9);
	assert(labs(energy - lround(1000 * size * sum)) <= threads);
}

int main(int argc, char **argv)
{
	threads = argument(argc, argv, 1, 2, MAX_SAMPLES / 2);
	size = argument(argc, argv, 2, 2 * threads, MAX_SAMPLES);
	lost_energy = has_word(argc, argv, "energy");
	lost_barrier = has_word(argc, argv, "barrier");
	early_table = has_word(argc, argv, "table");
	if ((size & (size - 1)) || (threads & (threads - 1)) || threads > size / 2) return 2;
	for (int n = 0; n < size; n++) samples[n] = cos(n) + 0.5 * I * (n % 3);
	for (int n = 0; n < size; n++) values[reversed(n)] = samples[n];
	run_threads(threads, run);
	check();
	return 0;
}
