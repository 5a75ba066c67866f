/* SPDX-License-Identifier: MIT
 *
 * Readers and a writer with std::shared_mutex.
 *
 * expect: optimal 2
 * expect: dfs 2
 * flags: -std=c++20
 */
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int left, right;

int main()
{
	std::thread writes([] {
		std::unique_lock lock(mutex);
		left++;
		right++;
	});
	std::thread reads([] {
		std::shared_lock lock(mutex);
		assert(left == right);
	});
	writes.join();
	reads.join();
}
