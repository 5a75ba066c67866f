/* SPDX-License-Identifier: MIT
 *
 * Main returns while a thread exits: the destructor of a static object runs in one of them.
 *
 * expect: optimal 4
 * expect: dfs 34
 * finding: assertion @here
 */
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <pthread.h>

static std::atomic<int> x, y;

static struct guard {
	~guard()
	{
		int first = x, second = y;
		assert(!first || second); /* @here */
	}
} guard;

static void *thread(void *unused)
{
	x = 1;
	std::exit(0);
	return unused;
}

int main()
{
	pthread_t other;
	pthread_create(&other, nullptr, thread, nullptr);
	y = 1;
	return 0;
}
