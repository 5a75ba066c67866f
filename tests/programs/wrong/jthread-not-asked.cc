/* SPDX-License-Identifier: MIT
 *
 * A std::jthread that does not look at its stop token is waited for for ever.
 *
 * flags: -std=c++20
 * finding: deadlock
 * builds: gcc-O2
 */
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any condition;
static bool ready;

int main()
{
	std::jthread thread([](std::stop_token) {
		std::unique_lock<std::mutex> lock(mutex);
		condition.wait(lock, [] { return ready; });
	});
}
