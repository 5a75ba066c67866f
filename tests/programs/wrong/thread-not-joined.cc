/* SPDX-License-Identifier: MIT
 *
 * A std::thread is destroyed before it is joined: the program is terminated.
 *
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
