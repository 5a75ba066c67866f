// SPDX-License-Identifier: MIT
/*
 * Two threads leave their functions at the same time, and give way to each other on the way: each is unwound to its own
 * end.
 *
 * expect: optimal 6
 */
#include <cassert>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int left;

struct leaves {
	~leaves()
	{
		pthread_mutex_lock(&mutex);
		left++;
		pthread_mutex_unlock(&mutex);
	}
};

static void inner()
{
	leaves here;
	pthread_exit(nullptr);
}

static void *work(void *arg)
{
	leaves here;
	inner();
	return arg;
}

int main()
{
	pthread_t threads[2];
	for (pthread_t &thread : threads) pthread_create(&thread, nullptr, work, nullptr);
	for (pthread_t thread : threads) pthread_join(thread, nullptr);
	assert(left == 4);
	return 0;
}
