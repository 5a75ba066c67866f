/* SPDX-License-Identifier: MIT
 *
 * Two assertions about one value, behind one another: optimisers make one call of both, and they are two bugs. The
 * second is reached in two ways, and is one.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: assertion @first
 * finding: assertion @second
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int last;

static void *sign(void *number)
{
	atomic_store(&last, (int)(long)number);
	return NULL;
}

static inline void check_second(int signature)
{
	assert(signature != 7); /* @second */
}

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, NULL, sign, (void *)3L);
	pthread_create(&other, NULL, sign, (void *)7L);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	int signature = last;
	assert(signature != 3); /* @first */
	if (signature > 5)
		check_second(signature);
	else
		check_second(signature + 1);
	return 0;
}
