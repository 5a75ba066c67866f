/* SPDX-License-Identifier: MIT
 *
 * std::condition_variable_any with std::jthread, which is told to stop and joined by its destructor.
 *
 * flags: -std=c++20
 */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any changed;
static bool stopped;

int main()
{
	{
		std::jthread thread([](std::stop_token token) {
			std::unique_lock lock(mutex);
			changed.wait(lock, token, [] { return false; });
			stopped = token.stop_requested();
		});
	}
	assert(stopped);
}
