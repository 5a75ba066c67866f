/* SPDX-License-Identifier: MIT
 *
 * A std::counting_semaphore that lets two in, where there is room for one.
 *
 * flags: -std=c++20
 * finding: assertion @here
 * builds: gcc-O2 clang-O0
 */
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> room(2);
static std::atomic<int> inside;

static void enter()
{
	room.acquire();
	assert(inside.fetch_add(1) == 0); /* @here */
	inside.fetch_sub(1);
	room.release();
}

int main()
{
	std::thread other(enter);
	enter();
	other.join();
}
