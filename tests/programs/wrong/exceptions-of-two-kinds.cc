/* SPDX-License-Identifier: MIT
 *
 * Exceptions that nobody catches end in one call of abort(), in the library: they are told apart by what is said there.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: assertion @early
 * finding: assertion @late
 * builds: gcc-O2 clang-O0
 */
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<int> turn{0};

int main()
{
	std::thread one([] { turn = 1; });
	std::thread other([] { turn = 2; });
	one.join();
	other.join();
	if (turn == 1) throw std::range_error("the first came last"); /* @early */
	throw std::length_error("the second came last");              /* @late */
}
