/* SPDX-License-Identifier: MIT
 *
 * new and delete in all their forms.
 *
 * expect: optimal 2
 * expect: dfs 2
 * flags: -std=c++17
 */
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

struct alignas(128) Wide {
	char bytes[256];
};

std::atomic<int> sum{0};

/* Compilers know what new is, and leave out what is not used. */
template <class T> static T *seen(T *block)
{
	asm volatile("" : "+r"(block));
	return block;
}

static void work()
{
	std::vector<std::string> words;
	for (int i = 0; i < 5; i++) words.push_back(std::string(30, static_cast<char>('a' + i)));
	std::unique_ptr<Wide> wide(new Wide);
	std::unique_ptr<Wide[]> wides(new Wide[3]);
	assert(reinterpret_cast<std::uintptr_t>(wide.get()) % 128 == 0);
	assert(reinterpret_cast<std::uintptr_t>(wides.get()) % 128 == 0);
	std::memset(wides.get(), 1, 3 * sizeof(Wide));
	auto word = std::make_unique<std::string>(words[4]);
	int *quiet = seen(new (std::nothrow) int[4]{1, 2, 3, 4});
	sum += quiet[3] + static_cast<int>(word->size());
	delete[] quiet;
}

int main()
{
	std::thread a(work), b(work);
	a.join();
	b.join();
	try {
		seen(::operator new(PTRDIFF_MAX));
		return 1;
	} catch (const std::bad_alloc &) {
	}
	assert(seen(::operator new(PTRDIFF_MAX, std::nothrow)) == nullptr);
	return sum == 68 ? 0 : 1;
}
