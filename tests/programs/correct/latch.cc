/* SPDX-License-Identifier: MIT
 *
 * Two threads count a std::latch down; a third one waits for both.
 *
 * flags: -std=c++20
 */
#include <cassert>
#include <latch>
#include <thread>

static std::latch both(2);
static int values[2];

int main()
{
	std::thread first([] {
		values[0] = 1;
		both.count_down();
	});
	std::thread second([] {
		values[1] = 1;
		both.count_down();
	});
	both.wait();
	assert(values[0] + values[1] == 2);
	first.join();
	second.join();
}
