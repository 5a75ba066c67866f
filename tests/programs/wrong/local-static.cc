/* SPDX-License-Identifier: MIT
 *
 * The guard of a local variable is for its construction only: what threads do to it afterwards races. Either thread
 * may construct it, and the other sees it before or after it is done: 4 traces.
 *
 * expect: optimal 4
 * findings: data-race @add
 */
#include <thread>

namespace
{
struct Counter {
	int count;
	explicit Counter(int from)
	{
		count = from;
	}
};

void add(int from)
{
	static Counter counter(from);
	counter.count++; /* @add */
}
} // namespace

int main()
{
	std::thread first(add, 1), second(add, 2);
	first.join();
	second.join();
	return 0;
}
