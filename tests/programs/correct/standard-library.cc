/* SPDX-License-Identifier: MIT
 *
 * Threads, locks, conditions and atomics of the C++ library; exceptions and virtual functions on the way.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace
{
struct Base {
	virtual ~Base() = default;
	virtual int number() const
	{
		return 1;
	}
};
struct Derived : Base {
	int number() const override
	{
		return 2;
	}
};

std::mutex mutex;
std::condition_variable condition;
std::unique_ptr<Base> item;
std::vector<std::string> words = {"made", "before", "main"};

void produce()
{
	std::lock_guard<std::mutex> lock(mutex);
	item = std::make_unique<Derived>();
	condition.notify_one();
}

void consume()
{
	std::unique_lock<std::mutex> lock(mutex);
	condition.wait(lock, [] { return item != nullptr; });
	words.push_back(std::to_string(item->number()));
}
} // namespace

int main()
{
	assert(words.size() == 3);
	std::thread producer(produce), consumer(consume);
	producer.join();
	consumer.join();
	try {
		throw std::runtime_error(words.back());
	} catch (const std::exception &e) {
		assert(std::string(e.what()) == "2");
	}
	return 0;
}
