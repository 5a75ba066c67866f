/* SPDX-License-Identifier: MIT
 *
 * A frame that is larger than the stack, and than the guard below it; the other thread goes on.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: crash @name|@entry|@first
 * finding: exit
 */
#include <pthread.h>
#include <stdlib.h>

void *volatile kept;

__attribute__((noinline)) static void large(void) /* @name */
{                                                 /* @entry */
	char room[20 << 20];
	kept = room;
	room[0] = 1; /* @first */
	kept = &room[1 << 20];
}

static void *enlarge(void *arg)
{
	large();
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, enlarge, NULL);
	exit(3);
}
