/* SPDX-License-Identifier: MIT
 *
 * A hash map with a lock for each bucket and one count of all its entries. Three threads put two keys each into buckets
 * of their own while another asks for the size. Additions to the count do not disturb each other, as long as nobody
 * looks at what they return; but an atomic addition reads and writes, and so every order of all six seems to matter.
 *
 * MZ_WEAK_WRITE says what is meant: such steps commute with each other, and not with MZ_READ. The count itself is
 * hidden from Mazurka (UNSEEN), mz_access() speaks for it, and 27 executions are enough: for each of the three threads,
 * whether it had put none, one or both of its keys when the size was taken.
 *
 *     mazurka cc -g -o hashmap hashmap.c && mazurka run ./hashmap
 *     no bug: all 27 executions explored, complete
 *
 * With -DCOARSE each addition is an MZ_WRITE, as if the atomic operation itself were seen:
 *
 *     mazurka cc -g -DCOARSE -o hashmap hashmap.c && mazurka run ./hashmap
 *     no bug: all 630 executions explored, complete
 *
 * An annotation is a promise. What follows an mz_access() up to the next operation on a thread, lock, condition or
 * visible atomic belongs to it: it runs without a switch. Two such parts that commute by their kinds must lead to the
 * same, whichever comes first. That holds for additions. It would not hold if mz_access() came before the lock is
 * taken: the addition would then belong to the lock, which nobody who asks for the size touches.
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef __clang__
#define UNSEEN __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define UNSEEN __attribute__((noinline, no_sanitize("thread")))
#endif

#ifdef COARSE
#define ADDS MZ_WRITE
#else
#define ADDS MZ_WEAK_WRITE
#endif

enum { BUCKETS = 8, THREADS = 3, KEYS = 2 };

struct entry {
	int key, value;
	struct entry *next;
};

struct map {
	struct {
		pthread_mutex_t mutex;
		struct entry *first;
	} buckets[BUCKETS];
	int size; /* only through the two functions below */
};

static struct map map;

UNSEEN static void add_atomically(int *count)
{
	__atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
}

UNSEEN static int read_atomically(const int *count)
{
	return __atomic_load_n(count, __ATOMIC_SEQ_CST);
}

static int size(void)
{
	mz_access(&map.size, MZ_READ);
	return read_atomically(&map.size);
}

static void put(int key, int value)
{
	struct entry *entry = malloc(sizeof *entry);
	*entry = (struct entry){key, value, NULL};
	pthread_mutex_lock(&map.buckets[key % BUCKETS].mutex);
	entry->next = map.buckets[key % BUCKETS].first;
	map.buckets[key % BUCKETS].first = entry;
	mz_access(&map.size, ADDS);
	add_atomically(&map.size);
	pthread_mutex_unlock(&map.buckets[key % BUCKETS].mutex);
}

static int get(int key)
{
	pthread_mutex_lock(&map.buckets[key % BUCKETS].mutex);
	const struct entry *entry = map.buckets[key % BUCKETS].first;
	while (entry && entry->key != key) entry = entry->next;
	int value = entry ? entry->value : -1;
	pthread_mutex_unlock(&map.buckets[key % BUCKETS].mutex);
	return value;
}

static void *put_keys(void *arg)
{
	int first = *(int *)arg;
	for (int key = first; key < first + KEYS; key++) {
		put(key, 10 * key);
		assert(get(key) == 10 * key);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int firsts[THREADS];
	for (int i = 0; i < BUCKETS; i++) pthread_mutex_init(&map.buckets[i].mutex, NULL);
	for (int i = 0; i < THREADS; i++) {
		firsts[i] = i * KEYS;
		pthread_create(&threads[i], NULL, put_keys, &firsts[i]);
	}
	int meanwhile = size();
	for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
	assert(meanwhile <= size());
	assert(size() == THREADS * KEYS);
	return 0;
}
