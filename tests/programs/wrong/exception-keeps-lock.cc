/* SPDX-License-Identifier: MIT
 *
 * A function that locks by hand is left by an exception, and nobody unlocks.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: deadlock
 * builds: gcc-O2 clang-O0
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
	mutex.lock();
	if (amount > balance) throw std::runtime_error("not enough");
	balance -= amount;
	mutex.unlock();
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
