/* SPDX-License-Identifier: MIT
 *
 * A promise is dropped on one way through its thread: who waits for it is told by an exception that it does not expect.
 *
 * finding: assertion
 * builds: gcc-O2 clang-O0
 */
#include <atomic>
#include <future>
#include <thread>

static std::atomic<bool> stopped;

static void answer(std::promise<int> promise)
{
	if (!stopped.load()) promise.set_value(1);
}

int main()
{
	std::promise<int> promise;
	std::future<int> future = promise.get_future();
	std::thread thread(answer, std::move(promise));
	stopped.store(true);
	int value = future.get();
	thread.join();
	return value - 1;
}
