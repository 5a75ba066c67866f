/* SPDX-License-Identifier: MIT
 *
 * Who comes too late for the news creates a thread that reads what it was about: in one of two orders, and not in the
 * first that is tried. When it is, the thread has existed before, with news that it must have forgotten.
 *
 * expect: optimal 4
 * finding: data-race @write|@read
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready, other;
int data;

static void *write_data(void *arg)
{
	data = 1; /* @write */
	atomic_store(&ready, 1);
	atomic_store(&other, 1);
	return arg;
}

static void *read_data(void *arg)
{
	*(int *)arg = data; /* @read */
	atomic_exchange(&other, 2);
	return NULL;
}

int main(void)
{
	pthread_t writer, reader;
	int result;
	pthread_create(&writer, NULL, write_data, NULL);
	atomic_exchange(&ready, 2);
	pthread_create(&reader, NULL, read_data, &result);
	pthread_join(reader, NULL);
	pthread_join(writer, NULL);
	return 0;
}
