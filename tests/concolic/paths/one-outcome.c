/* SPDX-License-Identifier: MIT
 *
 * A branch in a thread whose outcome follows from what its creator has assumed. The two threads that write the first
 * object have three traces, the two that write the second one two.
 *
 * expect: optimal 6
 */
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static int a;
static atomic_int first, second;

static void *branch(void *unused)
{
	atomic_load(&first);
	if ((signed char)(a - 2)) atomic_store(&first, 1);
	return unused;
}

static void *write_both(void *unused)
{
	atomic_store(&second, 1);
	atomic_store(&first, 2);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	mz_symbolic(&a, sizeof a, "a");
	mz_assume(a >= 0 && a < 2);
	pthread_create(&threads[0], NULL, branch, NULL);
	pthread_create(&threads[1], NULL, write_both, NULL);
	atomic_fetch_add(&second, 1);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
