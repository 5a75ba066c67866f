/* SPDX-License-Identifier: MIT
 *
 * Two threads exchange values across a std::barrier.
 *
 * flags: -std=c++20
 * builds: gcc-O2
 */
#include <barrier>
#include <cassert>
#include <thread>

static std::barrier<> both(2);
static int values[2];

static void run(int me)
{
	values[me] = 1;
	both.arrive_and_wait();
	assert(values[1 - me] == 1);
}

int main()
{
	std::thread other(run, 1);
	run(0);
	other.join();
}
