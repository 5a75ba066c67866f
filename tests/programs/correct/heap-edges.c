/* SPDX-License-Identifier: MIT
 *
 * Every byte of blocks of all small sizes is used, and none beside them; blocks of any alignment, grown and shrunk.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void fill(char *block, size_t size, int byte)
{
	for (size_t i = 0; i < size; i++) block[i] = (char)byte;
}

__attribute__((noinline)) static int holds(const char *block, size_t size, int byte)
{
	for (size_t i = 0; i < size; i++)
		if (block[i] != (char)byte) return 0;
	return 1;
}

int main(void)
{
	char *blocks[100];
	for (int i = 0; i < 100; i++) {
		blocks[i] = malloc((size_t)i);
		assert(blocks[i] && (uintptr_t)blocks[i] % 16 == 0);
		fill(blocks[i], (size_t)i, i);
	}
	for (int i = 0; i < 100; i++) {
		assert(holds(blocks[i], (size_t)i, i));
		assert(malloc_usable_size(blocks[i]) >= (size_t)i);
		blocks[i] = realloc(blocks[i], (size_t)i + 50);
		assert(holds(blocks[i], (size_t)i, i));
		fill(blocks[i], (size_t)i + 50, -i);
		blocks[i] = realloc(blocks[i], (size_t)i / 2 + 1);
		assert(holds(blocks[i], (size_t)i / 2 + 1, -i));
	}
	for (int i = 0; i < 100; i++) free(blocks[i]);
	for (size_t alignment = 8; alignment <= 65536; alignment *= 2) {
		void *block;
		assert(posix_memalign(&block, alignment, 100) == 0 && (uintptr_t)block % alignment == 0);
		fill(block, 100, 1);
		free(block);
		block = aligned_alloc(alignment, alignment * 2);
		assert((uintptr_t)block % alignment == 0);
		memset(block, 1, alignment * 2);
		free(block);
	}
	int *zeros = calloc(1000, sizeof *zeros);
	assert(holds((char *)zeros, 1000 * sizeof *zeros, 0));
	free(zeros);
	return 0;
}
