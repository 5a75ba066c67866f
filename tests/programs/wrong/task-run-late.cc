/* SPDX-License-Identifier: MIT
 *
 * A deferred task runs when it is asked for, in the thread that asks: which holds the lock that the task wants.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: deadlock
 * builds: gcc-O2 clang-O0
 */
#include <future>
#include <mutex>

static std::mutex mutex;

int main()
{
	std::future<int> result = std::async(std::launch::deferred, [] {
		std::lock_guard<std::mutex> lock(mutex);
		return 1;
	});
	std::lock_guard<std::mutex> lock(mutex);
	return result.get() - 1;
}
