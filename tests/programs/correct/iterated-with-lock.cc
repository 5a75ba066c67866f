/* SPDX-License-Identifier: MIT
 *
 * Who goes through a vector holds its mutex from the first element to the last.
 *
 * expect: optimal 2
 * expect: dfs 2
 * builds: gcc-O0 clang-O2
 */
#include <mutex>
#include <thread>
#include <vector>

namespace
{
std::mutex mutex;
std::vector<int> numbers = {1, 2};
int sum;

void add()
{
	std::lock_guard<std::mutex> lock(mutex);
	numbers.push_back(3);
}

void go_through()
{
	std::lock_guard<std::mutex> lock(mutex);
	for (int number : numbers) sum += number;
}
} // namespace

int main()
{
	std::thread adder(add), reader(go_through);
	adder.join();
	reader.join();
	return 0;
}
