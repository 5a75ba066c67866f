/* SPDX-License-Identifier: MIT
 *
 * What a thread returned is written to a variable that another thread reads meanwhile.
 *
 * expect: optimal 1
 * finding: data-race @join|@read
 */
#include <pthread.h>
#include <stddef.h>

void *result;

static void *work(void *arg)
{
	return arg;
}

static void *look(void *arg)
{
	return result ? result : arg; /* @read */
}

int main(void)
{
	pthread_t worker, reader;
	pthread_create(&worker, NULL, work, &result);
	pthread_create(&reader, NULL, look, NULL);
	pthread_join(worker, &result); /* @join */
	pthread_join(reader, NULL);
	return 0;
}
