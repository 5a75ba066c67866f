/* SPDX-License-Identifier: MIT
 *
 * One of two threads counts a std::latch down for both, before the other is done.
 *
 * flags: -std=c++20
 * findings: data-race @here|@write
 * builds: gcc-O2 clang-O0
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
		both.count_down(2);
	});
	std::thread second([] {
		values[1] = 1; /* @write */
	});
	both.wait();
	assert(values[0] + values[1] == 2); /* @here */
	first.join();
	second.join();
}
