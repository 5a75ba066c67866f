/* SPDX-License-Identifier: MIT
 *
 * Many simulated members of one run: each enters, changes some bytes and leaves, every so often, on a connection of its own.
 * Arguments: URL MEMBERS PROCESSES SECONDS PERIOD-MS BYTES. Prints operations, operations that came late, percentiles of how long
 * entering and leaving took (microseconds), and the bytes handed on per operation. bench/cluster starts it.
 */
#include "base/random.h"
#include "cluster/store.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEMORY (1 << 20)
#define TIMES 4000000

static struct shared {
	atomic_uint ready, go, count, late, failed, stopped;
	atomic_ullong bytes;
	uint32_t times[TIMES]; /* microseconds of each operation */
} * shared;

static const char *url;
static unsigned period, size;

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static void sleep_until(uint64_t at)
{
	struct timespec time = {(time_t)(at / 1000000), (long)(at % 1000000) * 1000};
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

struct simulated {
	struct mz_store *store;
	struct mz_random random;
	uint64_t bytes;
};

static void take(void *self, const struct mz_change *change)
{
	((struct simulated *)self)->bytes += change->size;
}

static bool operate(struct simulated *member)
{
	uint8_t bytes[4096];
	const struct mz_store_dead *dead;
	struct mz_change changes[3];
	for (int i = 0; i < 3; i++)
		changes[i] = (struct mz_change){mz_random_below(&member->random, MEMORY - size), bytes, size / 3};
	memset(bytes, (int)mz_random_below(&member->random, 256), size);
	return mz_store_enter(member->store, 60000, &dead) == MZ_STORE_OK &&
	       mz_store_leave(member->store, changes, 3) == MZ_STORE_OK;
}

static void *simulate(void *argument)
{
	struct simulated member = {.random = {(uintptr_t)argument}};
	struct mz_store_error error;
	member.store = mz_store_open(url, NULL, &error);
	if (!member.store || mz_store_join(member.store, &(struct mz_taker){take, &member}) != MZ_STORE_OK) {
		atomic_fetch_add(&shared->failed, 1);
		return NULL;
	}
	atomic_fetch_add(&shared->ready, 1);
	while (!atomic_load(&shared->go)) {
		mz_store_beat(member.store);
		sleep_until(now() + 1000000);
	}
	uint64_t next = now() + mz_random_below(&member.random, period * 1000);
	for (; !atomic_load(&shared->stopped); next += period * 1000) {
		/* between operations, members look for changes as real ones do (src/cluster/member.c) */
		for (uint64_t look; (look = now() + 2000000) < next;) {
			sleep_until(look);
			mz_store_pull(member.store);
		}
		sleep_until(next);
		uint64_t begun = now();
		member.bytes = 0;
		if (!operate(&member)) {
			fprintf(stderr, "%s\n", mz_store_error(member.store)->text);
			atomic_fetch_add(&shared->failed, 1);
			break;
		}
		if (now() > next + period * 1000) {
			atomic_fetch_add(&shared->late, 1);
			next = now();
		}
		if (atomic_load(&shared->go) < 2) continue; /* the first period is not measured */
		unsigned n = atomic_fetch_add(&shared->count, 1);
		atomic_fetch_add(&shared->bytes, member.bytes);
		if (n < TIMES) shared->times[n] = (uint32_t)(now() - begun);
	}
	mz_store_close(member.store);
	return NULL;
}

static void run_process(unsigned first, unsigned n)
{
	pthread_t *threads = malloc(n * sizeof *threads);
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 256 << 10);
	for (unsigned i = 0; i < n; i++)
		pthread_create(&threads[i], &small, simulate, (void *)(uintptr_t)(first + i + 1));
	for (unsigned i = 0; i < n; i++) pthread_join(threads[i], NULL);
	_exit(0);
}

static int by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	struct mz_store_error error;
	if (argc < 7) return 2;
	url = argv[1];
	unsigned members = (unsigned)atoi(argv[2]), processes = (unsigned)atoi(argv[3]),
	         seconds = (unsigned)atoi(argv[4]);
	period = (unsigned)atoi(argv[5]);
	size = (unsigned)atoi(argv[6]);
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct mz_store *store = mz_store_open(url, NULL, &error);
	if (!store || mz_store_begin(store, (struct mz_bytes){(const uint8_t *)"", 0}, MEMORY, 10000) != MZ_STORE_OK)
		return 1;
	for (unsigned i = 0; i < processes; i++)
		if (fork() == 0)
			run_process(i * members / processes, (i + 1) * members / processes - i * members / processes);
	while (atomic_load(&shared->ready) + atomic_load(&shared->failed) < members) sleep_until(now() + 10000);
	atomic_store(&shared->go, 1);
	sleep_until(now() + (uint64_t)period * 1000 + 1500000);
	atomic_store(&shared->go, 2);
	puts("measuring"); /* the script looks at Redis from here on */
	fflush(stdout);
	/* somebody keeps the log short, as a member of a real run does */
	struct simulated keeper = {.store = store};
	uint8_t *memory = calloc(1, MEMORY);
	mz_store_join(store, &(struct mz_taker){take, &keeper});
	for (uint64_t until = now() + (uint64_t)seconds * 1000000; now() < until;) {
		sleep_until(now() + 500000);
		mz_store_pull(store);
		if (mz_store_log_size(store) > 8 << 20) mz_store_snapshot(store, memory, MEMORY);
	}
	unsigned count = atomic_load(&shared->count);
	unsigned long long bytes = atomic_load(&shared->bytes);
	puts("measured");
	fflush(stdout);
	atomic_store(&shared->stopped, 1);
	while (wait(NULL) > 0) {}
	unsigned kept = count < TIMES ? count : TIMES;
	qsort(shared->times, kept, sizeof *shared->times, by_size);
	if (kept == 0) return 1;
	printf("%u %u %u %u %u %u %u %llu\n", count, atomic_load(&shared->late), atomic_load(&shared->failed),
	       shared->times[kept / 2], shared->times[kept * 9ULL / 10], shared->times[kept * 99ULL / 100],
	       shared->times[kept - 1], bytes / count);
	mz_store_depart(store);
	mz_store_remove(store);
	mz_store_close(store);
	free(memory);
	return 0;
}
