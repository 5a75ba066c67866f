/* SPDX-License-Identifier: MIT
 *
 * The functions on memory and strings do what they do everywhere, on memory that threads share in turn.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char buffer[64], other[64];

static void on_memory(void)
{
	memset(buffer, 'a', 16);
	memcpy(other, buffer, 16);
	assert(memcmp(buffer, other, 16) == 0);
	other[3] = 'b';
	assert(memcmp(buffer, other, 16) < 0);
	assert(memchr(other, 'b', 16) == other + 3);
	assert(!memchr(buffer, 'b', 16));
	memmove(other + 1, other, 8);
	assert(other[4] == 'b' && other[3] == 'a');
}

static void on_strings(void)
{
	assert(strcpy(buffer, "hello") == buffer);
	assert(strlen(buffer) == 5);
	strcat(buffer, ", you");
	assert(strcmp(buffer, "hello, you") == 0);
	assert(strncmp(buffer, "help", 3) == 0);
	assert(strncmp(buffer, "help", 4) < 0);
	assert(strchr(buffer, 'l') == buffer + 2);
	assert(strrchr(buffer, 'l') == buffer + 3);
	assert(!strchr(buffer, 'z'));
	strncpy(other, buffer, 20);
	assert(other[10] == '\0' && other[19] == '\0');
	assert(stpcpy(other, "abc") == other + 3);
	assert(strstr(buffer, "you") == buffer + 7);
}

static void on_copies(void)
{
	char *copy = strdup(buffer), *part = strndup(buffer, 4);
	assert(copy && part);
	assert(strcmp(copy, buffer) == 0);
	assert(strcmp(part, "hell") == 0);
	free(copy);
	free(part);
}

static void *run(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	on_memory();
	on_strings();
	on_copies();
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
