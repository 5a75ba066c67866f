/* SPDX-License-Identifier: MIT
 *
 * Two threads read from one descriptor: who comes first gets the first byte. The position is an object, the contents
 * are only read.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: assertion @CHECK
 * unseen: assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static char name[] = "/tmp/mazurka-bytes-XXXXXX";
static int file;

static void *next(void *to)
{
	if (read(file, to, 1) != 1) abort();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	char got[2];
	file = mkstemp(name);
	unlink(name);
	if (write(file, "ab", 2) != 2 || lseek(file, 0, SEEK_SET) != 0) abort();
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, next, &got[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(got[0] == 'a'); /* @CHECK */
	return 0;
}
