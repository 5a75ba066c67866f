/* SPDX-License-Identifier: MIT
 *
 * There is an input only if the load comes after the store: one way before, two after.
 *
 * expect: optimal 3
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *raise_flag(void *unused)
{
	atomic_store(&flag, 1);
	return unused;
}

int main(void)
{
	pthread_t thread;
	char x = 0;
	pthread_create(&thread, NULL, raise_flag, NULL);
	if (atomic_load(&flag)) {
		mz_symbolic(&x, sizeof x, "x");
		assert(x != '!');
	}
	pthread_join(thread, NULL);
	return 0;
}
