/* SPDX-License-Identifier: MIT
 *
 * Compiled and run by test_names.c: prints addresses of its own and, in its own words, what each should be called.
 */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct list {
	void *head;
	short counts[2][3];
};

typedef struct list list_alias;

struct nested {
	int first;
	struct {
		int anonymous;
	};
	union {
		double real;
		int whole;
		struct {
			char low, high;
		} half;
	} either;
	unsigned bit_a : 3, bit_b : 5;
	unsigned bits : 20;
	struct {
		unsigned deep_a : 3, deep_b : 5;
	};
	pthread_mutex_t lock;
};

extern int declared_first;
int declared_first;
int counter;
static volatile long hidden;
list_alias table[8];
struct nested nested;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct {
	pthread_mutex_t lock;
	pthread_cond_t wait;
} queue;
int matrix[2][3][4];
char text[] = "text";

static void object(const void *address, size_t length, const char *name)
{
	printf("object %lx %zu %s\n", (unsigned long)address, length, name);
}

__attribute__((noinline)) static void here(const char *function, int line)
{
	printf("place %lx %d %s\n", (unsigned long)__builtin_return_address(0), line, function);
	__asm__ volatile("");
}

__attribute__((always_inline)) static inline void inlined(void)
{
	here("inlined", __LINE__);
	__asm__ volatile("");
}

__attribute__((noinline)) static void outer(void)
{
	static int calls;
	here("outer", __LINE__);
	object(&calls, sizeof calls, "outer()::calls");
	inlined();
	calls++;
	__asm__ volatile("");
}

static int module(struct dl_phdr_info *info, size_t size, void *path)
{
	unsigned long low = ~0UL, high = 0;
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
		unsigned long start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		if (start < low) low = start;
		if (start + info->dlpi_phdr[i].p_memsz > high) high = start + info->dlpi_phdr[i].p_memsz;
	}
	const char *name = info->dlpi_name[0] ? info->dlpi_name : path;
	if (name[0] == '/' || name == path)
		printf("module %lx %lx %lx %s\n", (unsigned long)info->dlpi_addr, low, high, name);
	return 0;
}

int main(int argc, char **argv)
{
	(void)argc;
	dl_iterate_phdr(module, argv[0]);
	object(&counter, 4, "counter");
	object(&declared_first, 4, "declared_first");
	object((const void *)&hidden, 8, "hidden");
	object((const char *)&hidden + 3, 1, "hidden+3");
	object(&table[3].head, 8, "table[3].head");
	object(&table[3], sizeof table[3], "table[3]");
	object(table, sizeof table, "table");
	object(&table[2].counts[1][2], 2, "table[2].counts[1][2]");
	object((char *)&table[2].counts[1][2] + 1, 1, "table[2].counts[1][2]+1");
	object((char *)&table[0].counts + 12, 4, "table[0]+20");
	object(&nested, 0, "nested.first");
	object(&nested.anonymous, 4, "nested.anonymous");
	object(&nested.anonymous, 8, "nested.anonymous");
	object((char *)&nested + 20, 4, "nested+20");
	object(&nested.either, 8, "nested.either");
	object(&nested.either, 4, "nested.either.whole");
	object(&nested.either.half.high, 1, "nested.either.half.high");
	object((char *)&nested.either + 8, 1, "nested+16");
	object((char *)&nested.either + 9, 2, "nested.bits");
	object(&nested.lock, 8, "nested.lock");
	object(&nested.lock, sizeof nested.lock, "nested.lock");
	object((char *)&nested.lock + 16, 4, "nested.lock+16");
	object(&mutex, 0, "mutex");
	object(&mutex, 8, "mutex");
	object(&queue.lock, 1, "queue.lock");
	object(&queue.wait, 1, "queue.wait");
	object(&matrix[1][2][3], 4, "matrix[1][2][3]");
	object(&matrix[1][2][3], 8, "matrix[1][2][3]");
	object(&text[2], 1, "text[2]");
	object(&text[2], 3, "text[2]");
	here("main", __LINE__);
	outer();
	nested.bit_a = 1;
	return (int)nested.bits + queue.lock.__data.__lock + (int)strlen(text) - 4;
}
