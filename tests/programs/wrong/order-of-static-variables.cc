/* SPDX-License-Identifier: MIT
 *
 * Two threads make a static variable each. They are destroyed in the opposite order, whichever that is.
 *
 * expect: optimal 2
 * expect: dfs 70
 * findings: assertion @here
 */
#include <cassert>
#include <thread>

static bool gone;

struct used {
	~used()
	{
		gone = true;
	}
};

struct user {
	~user()
	{
		assert(!gone); /* @here */
	}
};

int main()
{
	std::thread first([] { static used object; });
	std::thread second([] { static user object; });
	first.join();
	second.join();
	return 0;
}
