/* SPDX-License-Identifier: MIT
 *
 * A value is handed over by std::binary_semaphore.
 *
 * flags: -std=c++20
 */
#include <cassert>
#include <semaphore>
#include <thread>

static std::binary_semaphore there(0);
static int value;

int main()
{
	std::thread takes([] {
		there.acquire();
		assert(value == 1);
	});
	value = 1;
	there.release();
	takes.join();
}
