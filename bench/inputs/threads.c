/* SPDX-License-Identifier: MIT
 *
 * Four threads that compute and exchange values: what a build for exploring inputs costs where no solver is asked. With
 * INPUT, what they exchange depends on an input, on which nothing branches; if INPUT is 2, all that they compute does.
 */
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, WORK = 50 };

static atomic_uint shared[3];
static unsigned seed = 1, input;

static void *work(void *unused)
{
	unsigned x = seed, table[8] = {0};
	for (int i = 0; i < WORK; i++) {
		x = x * 1103515245 + 12345;
		table[i % 8] += x >> 16;
	}
	atomic_fetch_add(&shared[0], table[0] ^ input);
	atomic_store(&shared[1], x + input);
	atomic_fetch_add(&shared[2], table[3]);
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
#ifdef INPUT
	mz_symbolic(&input, sizeof input, "input");
	if (INPUT == 2) seed = input;
#endif
	for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
	return 0;
}
