/* SPDX-License-Identifier: MIT
 *
 * Who exits leaves its functions properly: what is on the stack is destroyed, and then what the thread has to itself.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <cassert>
#include <pthread.h>

static int order[2], count;

struct Noted {
	int number;
	~Noted()
	{
		order[count++] = number;
	}
};

static thread_local Noted own{2};

static void leave()
{
	Noted local{1};
	own.number = 2;
	pthread_exit(nullptr);
}

static void *run(void *)
{
	leave();
	return nullptr;
}

int main()
{
	pthread_t thread;
	pthread_create(&thread, nullptr, run, nullptr);
	pthread_join(thread, nullptr);
	assert(count == 2 && order[0] == 1 && order[1] == 2);
}
