/* SPDX-License-Identifier: MIT
 *
 * An atomic is waited for until it changes.
 *
 * flags: -std=c++20
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag;
static int value;

int main()
{
	std::thread waits([] {
		flag.wait(0);
		assert(value == 1);
	});
	value = 1;
	flag = 1;
	flag.notify_one();
	waits.join();
}
