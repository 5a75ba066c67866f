/* SPDX-License-Identifier: MIT
 *
 * If it fails, the next one does it.
 *
 * expect: optimal 2
 * expect: dfs 8
 * flags: -std=c++17
 */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int tries, done;

static void start()
{
	if (++tries == 1) throw 1;
	done++;
}

static void run()
{
	try {
		std::call_once(once, start);
		assert(done == 1);
	} catch (int) {
	}
}

int main()
{
	std::thread first(run), second(run);
	first.join();
	second.join();
	assert(tries == 2 && done == 1);
}
