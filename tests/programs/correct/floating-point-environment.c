/* SPDX-License-Identifier: MIT
 *
 * Rounding, and the flags of exceptions in both units, belong to the thread; new threads begin with those of their
 * creator, and handlers of signals with none.
 *
 * expect: optimal 2
 * flags: -lm
 */
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int x;

static void handle(int number)
{
	(void)number;
	assert(fetestexcept(FE_ALL_EXCEPT) == 0 && fegetround() == FE_TONEAREST);
	feraiseexcept(FE_INVALID);
}

static void *plain(void *arg)
{
	atomic_exchange(&x, 1);
	assert(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO && fegetround() == FE_UPWARD);
	return arg;
}

static void *other(void *arg)
{
	assert(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO && fegetround() == FE_UPWARD);
	feclearexcept(FE_ALL_EXCEPT);
	feraiseexcept(FE_OVERFLOW);
	fesetround(FE_DOWNWARD);
	atomic_exchange(&x, 2);
	raise(SIGUSR1);
	assert(fetestexcept(FE_OVERFLOW | FE_DIVBYZERO | FE_INVALID) == FE_OVERFLOW && fegetround() == FE_DOWNWARD);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	assert(fetestexcept(FE_ALL_EXCEPT) == 0 && fegetround() == FE_TONEAREST);
	signal(SIGUSR1, handle);
	feraiseexcept(FE_DIVBYZERO);
	fesetround(FE_UPWARD);
	pthread_create(&a, NULL, plain, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
