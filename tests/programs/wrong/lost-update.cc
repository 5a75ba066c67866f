/* SPDX-License-Identifier: MIT
 *
 * The lost update with std::atomic: the ++ that is none.
 *
 * expect: optimal 4
 * expect: dfs 6
 * finding: assertion @lost
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> counter;

static void run()
{
	counter = counter + 1;
}

int main()
{
	std::thread first(run), second(run);
	first.join();
	second.join();
	assert(counter == 2); /* @lost */
	return 0;
}
