/* SPDX-License-Identifier: MIT
 *
 * Two threads wait, one is woken, and then they are cancelled one after the other: whoever has been woken goes on all
 * the same, and nobody waits for ever.
 *
 * expect: optimal 23
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int tokens, left;

static void leave(void *unused)
{
	left++;
	pthread_mutex_unlock(&mutex);
}

static void *take(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(leave, NULL);
	while (!tokens) pthread_cond_wait(&condition, &mutex);
	tokens--;
	pthread_cleanup_pop(1);
	return arg;
}

int main(void)
{
	pthread_t first, second;
	pthread_create(&first, NULL, take, NULL);
	pthread_create(&second, NULL, take, NULL);
	pthread_mutex_lock(&mutex);
	tokens = 2;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	pthread_cancel(first);
	pthread_join(first, NULL);
	pthread_cancel(second);
	pthread_join(second, NULL);
	assert(left == 2);
	return 0;
}
