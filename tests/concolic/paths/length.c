/* SPDX-License-Identifier: MIT
 *
 * A length is checked, and used after another thread may have changed it. Changed before the check: two ways; between check
 * and use: two, one of which is wrong; after the use: one.
 *
 * expect: optimal 5
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint length;
static unsigned char more;

static void *change(void *unused)
{
	atomic_store(&length, more);
	return unused;
}

int main(void)
{
	pthread_t thread;
	mz_symbolic(&more, sizeof more, "more");
	pthread_create(&thread, NULL, change, NULL);
	if (atomic_load(&length) <= 4) assert(atomic_load(&length) <= 4);
	pthread_join(thread, NULL);
	return 0;
}
