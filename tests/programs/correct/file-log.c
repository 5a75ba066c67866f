/* SPDX-License-Identifier: MIT
 *
 * Threads write to a log, and to files of their own, which they also read: none of that is a step, for nobody reads
 * what another has written.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *log_file;

static void *run(void *unused)
{
	char name[] = "/tmp/mazurka-own-XXXXXX", text[8] = "";
	int file = mkstemp(name);
	unlink(name);
	fprintf(log_file, "begins\n");
	printf("begins\n");
	if (write(file, "text", 4) != 4 || pread(file, text, 4, 0) != 4) abort();
	assert(strcmp(text, "text") == 0);
	fputs("ends\n", log_file);
	close(file);
	return unused;
}

int main(void)
{
	char name[] = "/tmp/mazurka-log-XXXXXX";
	pthread_t threads[2];
	log_file = fdopen(mkstemp(name), "w");
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	fclose(log_file);
	unlink(name);
	return 0;
}
