/* SPDX-License-Identifier: MIT
 *
 * C++: virtual functions, exceptions, templates, lambdas, constructors and destructors, containers whose code is in
 * headers, atomics.
 */
#include "checker.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace
{

struct shape {
	virtual ~shape() = default;
	virtual long area(int scale) const = 0;
};

struct square : shape {
	int side;
	explicit square(int s) : side(s)
	{
	}
	long area(int scale) const override
	{
		return static_cast<long>(side) * side * scale;
	}
};

struct strip : shape {
	short length;
	explicit strip(int l) : length(static_cast<short>(l))
	{
	}
	long area(int scale) const override
	{
		return length + scale;
	}
};

struct counted {
	long &total;
	int n;
	counted(long &t, int value) : total(t), n(value)
	{
	}
	~counted()
	{
		total += n;
	}
};

int checked(int x)
{
	if (x > 50) throw x;
	if (x < -50) throw "low";
	return x * 2;
}

long caught(int x)
{
	long total = 0;
	try {
		counted one(total, x), two(total, 3);
		total += checked(x);
	} catch (int thrown) {
		total += thrown;
	} catch (const char *) {
		total -= 1;
	}
	return total;
}

template <typename T> T larger(T a, T b)
{
	return a > b ? a : b;
}

} // namespace

void test(void)
{
	int x, y;
	INPUT(x);
	INPUT(y);
	std::unique_ptr<shape> shapes[2] = {std::make_unique<square>(x & 255), std::make_unique<strip>(y)};
	observe(static_cast<uint64_t>(shapes[0]->area(3) + shapes[1]->area(y)));
	observe(static_cast<uint64_t>(shapes[x & 1]->area(1)));
	observe(static_cast<uint64_t>(caught(x % 100)));
	observe(static_cast<uint64_t>(larger(x, y)) + static_cast<uint64_t>(larger<long>(x, y)));
	auto add = [=](int z) { return x + z; };
	std::function<int(int)> function = add;
	observe(static_cast<uint64_t>(add(y) + function(1)));
	std::vector<int> numbers = {x, y, 5, x ^ y};
	numbers.push_back(x - y);
	std::sort(numbers.begin(), numbers.end());
	for (int number : numbers) observe(static_cast<uint64_t>(number));
	std::array<short, 3> copies = {static_cast<short>(x), static_cast<short>(y), 1};
	auto moved = copies;
	std::swap(moved[0], moved[1]);
	observe(static_cast<uint64_t>(moved[0] - moved[1]));
	std::optional<int> maybe;
	if (x > y) maybe = x;
	observe(static_cast<uint64_t>(maybe.value_or(y)));
	std::atomic<int> shared{x};
	shared += y;
	int expected = x;
	observe(shared.compare_exchange_strong(expected, 1));
	observe(static_cast<uint64_t>(expected + shared.load()));
}
