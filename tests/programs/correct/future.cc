/* SPDX-License-Identifier: MIT
 *
 * A std::promise is kept; std::async gives its result.
 *
 * flags: -std=c++20
 */
#include <cassert>
#include <future>
#include <thread>

int main()
{
	std::promise<int> promise;
	std::thread keeps([&] { promise.set_value(1); });
	assert(promise.get_future().get() == 1);
	keeps.join();
	assert(std::async(std::launch::async, [] { return 2; }).get() == 2);
}
