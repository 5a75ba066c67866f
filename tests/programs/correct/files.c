/* SPDX-License-Identifier: MIT
 *
 * Files work, and every execution finds them as the first one did: nothing that was written before is there, and what
 * was left open is closed.
 *
 * expect: optimal 90
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int count;

static void *work(void *arg)
{
	char name[] = "/tmp/mazurka-files-XXXXXX", text[16] = "";
	int fd = mkstemp(name);
	assert(fd >= 0 && fd < 100);
	FILE *more = fopen(name, "a+");
	assert(more && fprintf(more, "one") == 3 && fflush(more) == 0);
	atomic_fetch_add(&count, 1);
	assert(fputs("two", more) >= 0 && fflush(more) == 0);
	assert(lseek(fd, 0, SEEK_END) == 6 && pread(fd, text, sizeof text, 0) == 6 && strcmp(text, "onetwo") == 0);
	atomic_fetch_add(&count, 1);
	unlink(name);
	return arg; /* both stay open */
}

int main(void)
{
	pthread_t threads[3];
	static char page[100000];
	FILE *own = fopen("/proc/self/exe", "rb");
	assert(own && fread(page, 1, sizeof page, own) > 4 && memcmp(page + 1, "ELF", 3) == 0);
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	printf("%d\n", count);
	return 0;
}
