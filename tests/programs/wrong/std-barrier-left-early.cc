/* SPDX-License-Identifier: MIT
 *
 * Who arrives at a std::barrier and does not wait reads what is not there yet.
 *
 * flags: -std=c++20
 * findings: data-race @here|@write
 * builds: gcc-O2
 */
#include <barrier>
#include <cassert>
#include <thread>

static std::barrier<> both(2);
static int value;

int main()
{
	std::thread other([] {
		value = 1; /* @write */
		both.arrive_and_wait();
	});
	(void)both.arrive();
	assert(value == 1); /* @here */
	other.join();
}
