// SPDX-License-Identifier: MIT
/*
 * Whoever is cancelled leaves its functions as if by an exception: what they hold is given back.
 *
 * expect: optimal 2
 * compilers: gcc
 */
#include <cassert>
#include <mutex>
#include <pthread.h>

static std::mutex mutex;
static int inside, caught, local;

struct counted {
	~counted()
	{
		local++;
	}
};

static void *work(void *arg)
{
	static thread_local counted here;
	std::lock_guard<std::mutex> guard(mutex);
	(void)&here;
	try {
		inside = 1;
		pthread_testcancel();
		inside = 0;
	} catch (...) {
		caught = 1;
		throw;
	}
	return arg;
}

int main()
{
	pthread_t thread;
	void *result;
	pthread_create(&thread, nullptr, work, nullptr);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	std::lock_guard<std::mutex> guard(mutex);
	assert(caught == inside && local == 1 && (result == PTHREAD_CANCELED) == (inside == 1));
	return 0;
}
