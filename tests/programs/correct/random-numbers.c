/* SPDX-License-Identifier: MIT
 *
 * Random numbers are the same in every execution, whoever draws first, and differ between threads. Where the threads go
 * depends on them: were they not the same, the program would not be deterministic.
 *
 * expect: optimal 2
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static atomic_int slots[64], meeting;

static void *draw(void *arg)
{
	unsigned bytes[4] = {0}, more[4] = {0};
	assert(getrandom(&bytes[0], 4, 0) == 4 && getentropy(&bytes[1], 4) == 0);
	int fd = open("/dev/urandom", O_RDONLY);
	assert(fd >= 0 && read(fd, &bytes[2], 8) == 8 && close(fd) == 0);
	FILE *file = fopen("/dev/random", "rb");
	assert(file && fread(more, sizeof more, 1, file) == 1);
	fclose(file);
	assert(memcmp(bytes, more, sizeof more) != 0);
	unsigned sum = bytes[0] ^ bytes[1] ^ bytes[2] ^ bytes[3] ^ more[0] ^ (unsigned)rand() ^ (unsigned)random();
	sum ^= (unsigned)lrand48() ^ (unsigned)(drand48() * 64);
	atomic_store(&slots[sum % 64], 1);
	atomic_fetch_add(&meeting, 1);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	unsigned short state[3] = {0x330e, 42, 0};
	unsigned own = 7;
	srand(42);
	int first = rand(), second = rand();
	srand(42);
	assert(rand() == first && rand() == second && first != second);
	srand48(42);
	assert(lrand48() == nrand48(state) && drand48() == erand48(state) && mrand48() == jrand48(state));
	assert(rand_r(&own) >= 0);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, draw, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	int count = 0;
	for (int i = 0; i < 64; i++) count += slots[i];
	assert(count >= 1 && count <= 2);
	return 0;
}
