/* SPDX-License-Identifier: MIT
 *
 * A std::weak_ptr gives a reference only as long as there is another one.
 */
#include <cassert>
#include <memory>
#include <thread>

namespace
{
std::shared_ptr<int> shared = std::make_shared<int>(7);
std::weak_ptr<int> weak = shared;

void look()
{
	if (std::shared_ptr<int> mine = weak.lock()) assert(*mine == 7);
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
