/* SPDX-License-Identifier: MIT
 *
 * A mutex guards what depends on an input: read before it is written one way, after that two.
 *
 * expect: optimal 3
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int guarded;
static unsigned char x;

static void *write_it(void *unused)
{
	pthread_mutex_lock(&mutex);
	guarded = x * 2;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	mz_symbolic(&x, sizeof x, "x");
	pthread_create(&thread, NULL, write_it, NULL);
	pthread_mutex_lock(&mutex);
	int seen = guarded;
	pthread_mutex_unlock(&mutex);
	assert(seen != 84);
	pthread_join(thread, NULL);
	return 0;
}
