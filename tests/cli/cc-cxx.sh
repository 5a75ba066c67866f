# SPDX-License-Identifier: MIT
# C++ through mazurka c++ and mazurka-c++.
. "$SOURCE/tests/cli/lib.sh"

cat >threads.cc <<'END'
#include <atomic>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
std::atomic<int> ready;
std::mutex mutex;
std::string text = "from";
struct Base {
	virtual ~Base() = default;
	virtual int number() const { return 1; }
};
struct Derived : Base {
	int number() const override { return 2; }
};
int main()
{
	std::thread worker([] {
		std::lock_guard<std::mutex> lock(mutex);
		text += " thread";
		ready++;
	});
	worker.join();
	Base *base = new Derived;
	try {
		throw std::runtime_error(text);
	} catch (const std::exception &e) {
		std::cout << e.what() << ' ' << base->number() + ready << std::endl;
	}
	delete base;
	return 0;
}
END

cxx() {
	for level in 0 2; do
		rm -f threads
		check "$compiler: C++ with -O$level" mazurka c++ -O$level threads.cc -o threads -pthread
		check "$compiler: for exploration" is_for_exploration threads
		equal "$compiler: runs by itself" "from thread 3" "$(./threads)"
	done
	check "$compiler: mazurka-c++" mazurka-c++ -c threads.cc
	check "$compiler: links C++ objects" mazurka-c++ threads.o -o linked
	equal "$compiler: which run" "from thread 3" "$(./linked)"
	check "$compiler: a C++ shared library" mazurka c++ -shared -fPIC threads.cc -o libthreads.so
	check "$compiler: carries the note" is_for_exploration libthreads.so
}
both_compilers cxx
