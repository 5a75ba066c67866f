/* SPDX-License-Identifier: MIT
 *
 * C++: a seed from the machine is virtual too.
 *
 * expect: optimal 2
 */
#include <array>
#include <atomic>
#include <random>
#include <thread>

static std::array<std::atomic<int>, 64> slots;
static std::atomic<int> meeting;

static void draw()
{
	std::random_device device;
	std::mt19937 generator(device());
	slots[generator() % 64].store(1);
	meeting.fetch_add(1);
}

int main()
{
	std::thread first(draw), second(draw);
	first.join();
	second.join();
	return meeting.load() == 2 ? 0 : 1;
}
