/* SPDX-License-Identifier: MIT
 *
 * Two std::lock_guard take two mutexes in two orders.
 *
 * expect: optimal 3
 * expect: dfs 6
 * finding: deadlock
 * builds: gcc-O2 clang-O0
 */
#include <mutex>
#include <thread>

namespace
{
std::mutex first, second;
int moved;

void move(std::mutex &from, std::mutex &to)
{
	std::lock_guard<std::mutex> lock_from(from);
	std::lock_guard<std::mutex> lock_to(to);
	moved++;
}
} // namespace

int main()
{
	std::thread there(move, std::ref(first), std::ref(second)), back(move, std::ref(second), std::ref(first));
	there.join();
	back.join();
	return 0;
}
