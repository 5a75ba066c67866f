/* SPDX-License-Identifier: MIT
 *
 * A cache, and what may go wrong with it. The counts are those on which all strategies agree.
 *
 * flags: -std=c++17
 * builds: gcc-O0
 *
 * variant: alone
 * arguments: alone
 * expect: optimal 1
 *
 * variant: load
 * arguments: load
 * expect: optimal 14
 *
 * variant: load-twice
 * arguments: load
 * flags: -DWRONG_LOAD_TWICE
 * expect: optimal 78
 * findings: assertion @loads
 *
 * variant: pin
 * arguments: pin
 * expect: optimal 5
 *
 * variant: evict-pinned
 * arguments: pin
 * flags: -DWRONG_EVICT_PINNED
 * expect: optimal 5
 * findings: data-race
 * findings: use-after-free
 * findings: double-free
 *
 * variant: listener
 * arguments: listener
 * expect: optimal 4
 *
 * variant: listener-with-lock
 * arguments: listener
 * flags: -DWRONG_LISTENER_WITH_LOCK
 * expect: optimal 4
 * findings: deadlock
 *
 * variant: erase
 * arguments: erase
 * expect: optimal 3
 */
#include "cache.h"
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>

namespace
{
using Numbers = Cache<int, int>;

Numbers::Options with_capacity(std::size_t capacity)
{
	Numbers::Options options;
	options.capacity = capacity;
	return options;
}

/* Alone: what was used least recently goes, unless it is pinned, or replaced; and everything expires. */
void test_alone()
{
	std::uint64_t now = 1;
	int evicted = 0;
	Numbers::Options options = with_capacity(2);
	options.lifetime = 10;
	options.clock = [&] { return now; };
	options.on_evict = [&](const int &key, const int &) { evicted = key; };
	Numbers cache(options);
	cache.put(1, 10);
	cache.put(2, 20);
	assert(*cache.get(1) == 10);
	cache.put(3, 30);
	assert(evicted == 2 && !cache.get(2) && cache.size() == 2);
	{
		auto one = cache.get(1);
		cache.put(1, 11);
		assert(*one == 10 && *cache.get(1) == 11);
		assert(cache.erase(1) && !cache.erase(1) && *one == 10);
	}
	now = 11;
	assert(!cache.get(3));
	cache.set_capacity(0);
	assert(cache.size() == 0 && cache.statistics().evictions == 2);
	try {
		cache.get_or_load(4, [](const int &) -> int { throw std::runtime_error("no such page"); });
		assert(false);
	} catch (const std::runtime_error &) {
	}
	assert(*cache.get_or_load(4, [](const int &key) { return key * 10; }) == 40);
}

/* Two ask for a key that is not there: it is loaded once. */
void test_load()
{
	Numbers cache(with_capacity(1));
	std::atomic<int> loads{0};
	auto ask = [&] {
		auto found = cache.get_or_load(1, [&](const int &key) {
			loads++;
			return key * 10;
		});
		assert(*found == 10);
	};
	std::thread first(ask), second(ask);
	first.join();
	second.join();
	assert(loads == 1); /* @loads */
}

/* Somebody looks at an entry while another one pushes it out. */
void test_pin()
{
	Numbers cache(with_capacity(1));
	cache.put(1, 10);
	std::thread reader([&] {
		if (auto found = cache.get(1)) assert(*found == 10);
	});
	std::thread writer([&] { cache.put(2, 20); });
	reader.join();
	writer.join();
	assert(cache.size() == 1);
}

/* The listener takes a mutex that others hold when they use the cache. */
void test_listener()
{
	std::mutex directory;
	int removed = 0;
	Numbers::Options options = with_capacity(1);
	options.on_evict = [&](const int &, const int &) {
		std::lock_guard<std::mutex> lock(directory);
		removed++;
	};
	Numbers cache(options);
	cache.put(1, 10);
	std::thread writer([&] { cache.put(2, 20); });
	std::thread lister([&] {
		std::lock_guard<std::mutex> lock(directory);
		assert(cache.size() >= 1);
	});
	writer.join();
	lister.join();
	assert(removed == 1);
}

/* One erases what another one has pinned, or is about to. */
void test_erase()
{
	Numbers cache(with_capacity(1));
	cache.put(1, 10);
	std::thread reader([&] {
		int sum = 0;
		cache.for_each([&](const int &, const int &value) { sum += value; });
		assert(sum == 0 || sum == 10);
	});
	std::thread eraser([&] { cache.clear(); });
	reader.join();
	eraser.join();
	assert(cache.size() == 0);
}

struct {
	const char *name;
	void (*run)();
} const tests[] = {
    {"alone", test_alone}, {"load", test_load}, {"pin", test_pin}, {"listener", test_listener}, {"erase", test_erase}};
} // namespace

int main(int argc, char **argv)
{
	for (const auto &test : tests)
		if (argc < 2 || argv[1] == std::string(test.name)) test.run();
	return 0;
}
