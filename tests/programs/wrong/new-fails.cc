/* SPDX-License-Identifier: MIT
 *
 * new may fail: what was allocated before is lost with the exception. At most once in a thread.
 *
 * expect: optimal 4
 * expect: dfs 4
 * options: --fail new --max-faults 1 --leaks
 * finding: leak @first
 */
#include <cassert>
#include <memory>
#include <new>

struct Pair {
	int *first, *second;
};

__attribute__((noinline)) static Pair make()
{
	Pair pair;
	pair.first = new int(1); /* @first */
	pair.second = new int(2);
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
		delete pair.first;
		delete pair.second;
	} catch (const std::bad_alloc &) {
	}
	delete more;
	return 0;
}
