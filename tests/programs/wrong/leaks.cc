/* SPDX-License-Identifier: MIT
 *
 * A ring of shared pointers keeps itself, and only itself; a list loses its rest; and a local variable is lost with its
 * function.
 *
 * expect: optimal 1
 * expect: dfs 1
 * options: --leaks
 * finding: leak @ring
 * finding: leak @rest
 * finding: leak @local
 */
#include <cstdlib>
#include <memory>
#include <string>

struct Ring {
	std::shared_ptr<Ring> next;
	std::string name = "a name that does not fit into the string itself";
};

struct Link {
	Link *next;
};

Link *list;
std::string kept = "another name that does not fit into the string itself";

static void ring()
{
	auto one = std::shared_ptr<Ring>(new Ring); /* @ring */
	one->next = one;
}

static void lose()
{
	for (int i = 0; i < 3; i++) list = new Link{list}; /* @rest */
	list->next = nullptr;
}

__attribute__((noinline)) static int *local()
{
	int *block = new int(1); /* @local */
	return block;
}

int main()
{
	ring();
	lose();
	return *local() - 1;
}
