/* SPDX-License-Identifier: MIT
 *
 * The mutex of a vector is held for each step, but the iterator is kept between them: when the vector grows it points
 * to what was freed.
 *
 * expect: optimal 3
 * expect: dfs 3
 * findings: use-after-free @here
 * builds: gcc-O2 clang-O0
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
	mutex.lock();
	const int *at = numbers.data();
	sum += at[0];
	mutex.unlock();
	mutex.lock();
	sum += at[1]; /* @here */
	mutex.unlock();
}
} // namespace

int main()
{
	std::thread adder(add), reader(go_through);
	adder.join();
	reader.join();
	return 0;
}
