/* SPDX-License-Identifier: MIT
 * What the objects of the matrix in C++ (objects_cxx.py) need, and how their faults are told to case.cc. */
#ifndef MATRIX_CASE_HH
#define MATRIX_CASE_HH
#include <array>
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <future>
#include <latch>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <sys/mman.h>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

#define START std::thread beside(run_beside, this);
#define JOIN beside.join();

struct object;
/* What is wrong with an object: what a thread does, and what another does that it may START and JOIN. */
struct fault {
	const char *name;
	void (object::*code)();
	void (object::*beside)();
};

/* What the uses of an object count under its protection, and a lock for objects that need one beside them. */
static int count;
static std::mutex helper;
static void run_beside(object *object);
/* Returns how many threads use an object at the same time. */
static int parties();

static inline void work()
{
	int before = count;
	count = before + 1;
}
#endif
