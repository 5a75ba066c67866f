/* SPDX-License-Identifier: MIT
 *
 * new may fail: the exception passes through, and nothing is lost.
 *
 * expect: optimal 6
 * expect: dfs 6
 * options: --fail new --leaks
 */
#include <cassert>
#include <memory>
#include <new>

struct Pair {
	std::unique_ptr<int> first, second;
};

__attribute__((noinline)) static Pair make()
{
	Pair pair;
	pair.first.reset(new int(1));
	pair.second.reset(new int(2));
	return pair;
}

int main()
{
	int *more = new (std::nothrow) int(3);
	__asm__ volatile("" : "+r"(more));
	try {
		Pair pair = make();
		__asm__ volatile("" : : "r"(&pair) : "memory");
		assert(*pair.first + *pair.second == 3);
	} catch (const std::bad_alloc &) {
	}
	delete more;
	return 0;
}
