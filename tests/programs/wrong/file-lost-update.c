/* SPDX-License-Identifier: MIT
 *
 * A number is kept in a file, and two threads add to it: both may have read it before either writes. To read and to
 * write a file that threads share are steps.
 *
 * expect: optimal 4
 * expect: dfs 6
 * finding: assertion @CHECK
 * unseen: assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static char name[] = "/tmp/mazurka-number-XXXXXX";
static int file;

static int get(void)
{
	int value;
	if (pread(file, &value, sizeof value, 0) != sizeof value) abort();
	return value;
}

static void put(int value)
{
	if (pwrite(file, &value, sizeof value, 0) != sizeof value) abort();
}

static void *add(void *unused)
{
	put(get() + 1);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	file = mkstemp(name);
	unlink(name);
	put(0);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	int value = get();
	close(file);
	assert(value == 2); /* @CHECK */
	return 0;
}
