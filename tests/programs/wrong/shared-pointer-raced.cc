/* SPDX-License-Identifier: MIT
 *
 * One thread copies a std::shared_ptr that another lets go: the count is atomic, the pointer is not.
 *
 * findings: data-race
 * builds: gcc-O2 clang-O0
 */
#include <cassert>
#include <memory>
#include <thread>

namespace
{
std::shared_ptr<int> shared = std::make_shared<int>(7);
std::shared_ptr<int> keeper = shared; // what it points to stays

void look()
{
	std::shared_ptr<int> mine = shared;
	assert(!mine || *mine == 7);
}

void drop()
{
	shared.reset();
}
} // namespace

int main()
{
	std::thread looker(look), dropper(drop);
	looker.join();
	dropper.join();
	return 0;
}
