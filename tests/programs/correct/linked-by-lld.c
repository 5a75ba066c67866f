/* SPDX-License-Identifier: MIT
 *
 * Linked by lld, which lays out data in another way: constants that are relocated, initialised data and zeroes, small
 * and large, are as the program expects them in every execution.
 *
 * expect: optimal 6
 * flags: -fuse-ld=lld
 * needs: ld.lld
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static const char *const names[] = {"one", "two", "three"};
static const char *last = "none";
static int data = 1, zeroes;
static char large[100000], filled[50000] = {1, 2, 3};
static _Thread_local int own = 5;
static atomic_int turns;

static void *take_turn(void *arg)
{
	assert(own == 5);
	own = atomic_fetch_add(&turns, 1);
	large[sizeof large - 1 - (size_t)own] = filled[sizeof filled - 1 - (size_t)own] = 1;
	return arg;
}

int main(void)
{
	assert(strcmp(last, "none") == 0 && data == 1 && zeroes == 0 && own == 5);
	for (size_t i = 0; i < sizeof large; i++) assert(large[i] == 0);
	for (size_t i = 3; i < sizeof filled; i++) assert(filled[i] == 0);
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, take_turn, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	last = names[turns - 1];
	assert(strcmp(last, "three") == 0);
	data = zeroes = own = 9;
	memset(large, 7, sizeof large);
	memset(filled, 7, sizeof filled);
	return 0;
}
