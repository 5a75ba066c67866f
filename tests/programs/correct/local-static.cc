/* SPDX-License-Identifier: MIT
 *
 * A variable that is constructed by who first passes by. Either thread may be that one; the other looks at the guard
 * before it is done, and then waits for it, or after: 4 traces. Nobody passes before it is constructed, and it is
 * constructed once, in every execution again.
 *
 * expect: optimal 4
 */
#include <atomic>
#include <cassert>
#include <thread>

namespace
{
std::atomic<int> made;

struct Answer {
	int value;
	Answer()
	{
		value = 42;
		made++;
	}
};

Answer &get()
{
	static Answer answer;
	return answer;
}

void use()
{
	assert(get().value == 42);
}
} // namespace

int main()
{
	assert(made.load() == 0);
	std::thread first(use), second(use);
	first.join();
	second.join();
	assert(made.load() == 1);
	return 0;
}
