/* SPDX-License-Identifier: MIT
 *
 * An unaligned 8-byte write overlaps another thread's byte, beyond the word it starts in.
 *
 * expect: optimal 1
 * expect: dfs 1
 * findings: data-race @wide|@byte
 */
#include <pthread.h>
#include <stdint.h>

struct packed {
	char first[5];
	uint64_t wide;
} __attribute__((packed));

_Alignas(8) struct packed shared;

static void *run_wide(void *arg)
{
	(void)arg;
	shared.wide = 1; /* @wide */
	return NULL;
}

static void *run_byte(void *arg)
{
	(void)arg;
	((char *)&shared)[12] = 1; /* @byte */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, run_wide, NULL);
	pthread_create(&threads[1], NULL, run_byte, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
