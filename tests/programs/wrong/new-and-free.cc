/* SPDX-License-Identifier: MIT
 *
 * What new and new[] allocate is released with the others.
 *
 * expect: optimal 1
 * expect: dfs 1
 * flags: -fsized-deallocation
 * finding: misuse @free
 * finding: misuse @delete
 * finding: misuse @array
 * finding: misuse @size
 */
#include <cstdlib>
#include <new>

struct Base {
	int one = 1;
};

struct Derived : Base {
	int more[4] = {1, 2, 3, 4};
};

void *volatile hidden; /* compilers know what new is, and leave out what is not used */

template <class T> T *seen(T *block)
{
	hidden = block;
	return static_cast<T *>(hidden);
}

int main()
{
	int *one = seen(new int(1)), *many = seen(new int[3]);
	std::free(one);                                           /* @free */
	::operator delete(many);                                  /* @delete */
	::operator delete[](seen(::operator new(sizeof(int))));   /* @array */
	::operator delete(seen(new Derived), sizeof(Base));       /* @size */
	::operator delete(seen(::operator new(4, std::nothrow))); // as it should be
	return 0;
}
