/* SPDX-License-Identifier: MIT
 *
 * A std::shared_mutex is locked shared by who writes.
 *
 * flags: -std=c++17
 * expect: optimal 4
 * expect: dfs 924
 * finding: assertion @here
 * builds: gcc-O2 clang-O0
 */
#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static std::atomic<int> count;

static void add()
{
	int seen;
	{
		std::shared_lock<std::shared_mutex> lock(mutex);
		seen = count.load();
	}
	std::shared_lock<std::shared_mutex> lock(mutex);
	count.store(seen + 1);
}

int main()
{
	std::thread other(add);
	add();
	other.join();
	assert(count.load() == 2); /* @here */
}
