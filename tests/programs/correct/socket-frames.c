/* SPDX-License-Identifier: MIT
 *
 * Two threads send frames, a length and then as many bytes, over a socket, each with a lock around it.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

int pair[2];
pthread_mutex_t sending = PTHREAD_MUTEX_INITIALIZER;

static void *send_frame(void *arg)
{
	const char *text = arg;
	unsigned char length = (unsigned char)strlen(text);
	pthread_mutex_lock(&sending);
	assert(send(pair[0], &length, 1, 0) == 1);
	assert(send(pair[0], text, length, 0) == length);
	pthread_mutex_unlock(&sending);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	pthread_create(&threads[0], NULL, send_frame, "a");
	pthread_create(&threads[1], NULL, send_frame, "bb");
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	for (int i = 0; i < 2; i++) {
		unsigned char length;
		char text[3] = "";
		assert(recv(pair[1], &length, 1, 0) == 1 && length <= 2);
		assert(recv(pair[1], text, length, MSG_WAITALL) == length);
		assert(strcmp(text, length == 1 ? "a" : "bb") == 0);
	}
	return 0;
}
