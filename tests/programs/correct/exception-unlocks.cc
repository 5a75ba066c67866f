/* SPDX-License-Identifier: MIT
 *
 * A guard unlocks whichever way a function is left.
 *
 * expect: optimal 2
 * expect: dfs 2
 * builds: gcc-O0 clang-O2
 */
#include <mutex>
#include <stdexcept>
#include <thread>

namespace
{
std::mutex mutex;
int balance = 10;

void withdraw(int amount)
{
	std::lock_guard<std::mutex> lock(mutex);
	if (amount > balance) throw std::runtime_error("not enough");
	balance -= amount;
}

void customer(int amount)
{
	try {
		withdraw(amount);
	} catch (const std::runtime_error &) {
	}
}
} // namespace

int main()
{
	std::thread modest(customer, 5), greedy(customer, 50);
	modest.join();
	greedy.join();
	return 0;
}
