/* SPDX-License-Identifier: MIT
 *
 * A std::thread is destroyed before it is joined: the program is terminated.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: assertion
 * builds: gcc-O2 clang-O0
 */
#include <atomic>
#include <thread>

static std::atomic<int> done;

int main()
{
	std::thread thread([] { done.store(1); });
	if (done.load()) thread.join();
}
