/* SPDX-License-Identifier: MIT
 *
 * C++: time, sleeping, and waits with a time-out.
 *
 * expect: optimal 4
 */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

static std::mutex mutex;
static std::condition_variable condition;
bool ready;

static void wait()
{
	std::unique_lock<std::mutex> lock(mutex);
	auto start = Clock::now();
	if (!ready && condition.wait_for(lock, 100ms) == std::cv_status::timeout) assert(Clock::now() - start >= 100ms);
}

int main()
{
	auto start = Clock::now();
	auto date = std::chrono::system_clock::now();
	std::thread waiter(wait);
	{
		std::lock_guard<std::mutex> lock(mutex);
		ready = true;
		condition.notify_one();
	}
	waiter.join();
	std::this_thread::sleep_for(3s);
	std::this_thread::sleep_until(Clock::now() + 1s);
	assert(Clock::now() - start >= 4s);
	assert(std::chrono::system_clock::now() - date >= 4s);
	std::timed_mutex timed;
	assert(timed.try_lock_for(1s));
	std::thread other([&] { assert(!timed.try_lock_for(1s)); });
	other.join();
	timed.unlock();
	return 0;
}
