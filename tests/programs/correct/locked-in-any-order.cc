/* SPDX-License-Identifier: MIT
 *
 * std::scoped_lock takes two mutexes whatever their order: it gives back what it has and waits for what it has not.
 * Two of them may do so for ever, in turn; within two preemptions they do not.
 *
 * options: --preemptions 2
 * flags: -std=c++17
 * builds: gcc-O0 clang-O2
 */
#include <cassert>
#include <mutex>
#include <thread>

namespace
{
std::mutex first, second;
int moved;

void move(std::mutex &from, std::mutex &to)
{
	std::scoped_lock lock(from, to);
	moved++;
}
} // namespace

int main()
{
	std::thread there(move, std::ref(first), std::ref(second)), back(move, std::ref(second), std::ref(first));
	there.join();
	back.join();
	assert(moved == 2);
	return 0;
}
