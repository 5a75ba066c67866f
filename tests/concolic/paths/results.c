/* SPDX-License-Identifier: MIT
 *
 * Values that depend on inputs come back from threads: as the result of a thread that returns it, and from where a thread
 * keeps what is its own. Three tests of inputs, one after the other, have four outcomes.
 *
 * expect: all 4
 */
#include <mazurka.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

static pthread_key_t key;
static tss_t other_key;
static unsigned char inputs[3];

static void *returns(void *input)
{
	return (void *)(uintptr_t)(*(unsigned char *)input + 1U);
}

static int returns_number(void *input)
{
	return *(unsigned char *)input - 5;
}

static void *keeps(void *input)
{
	pthread_setspecific(key, (void *)(uintptr_t) * (unsigned char *)input);
	tss_set(other_key, pthread_getspecific(key));
	return tss_get(other_key);
}

static uintptr_t result_of(void *(*function)(void *), void *input)
{
	pthread_t thread;
	void *result;
	pthread_create(&thread, NULL, function, input);
	pthread_join(thread, &result);
	return (uintptr_t)result;
}

static int number_of(void *input)
{
	thrd_t thread;
	int result;
	thrd_create(&thread, returns_number, input);
	thrd_join(thread, &result);
	return result;
}

int main(void)
{
	pthread_key_create(&key, NULL);
	tss_create(&other_key, NULL);
	mz_symbolic(inputs, sizeof inputs, "inputs");
	if (result_of(returns, &inputs[0]) == 8) return 0;
	if (number_of(&inputs[1]) == -3) return 0;
	if (result_of(keeps, &inputs[2]) == 9) return 0;
	return 0;
}
