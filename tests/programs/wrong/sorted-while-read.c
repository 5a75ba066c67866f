/* SPDX-License-Identifier: MIT
 *
 * Numbers are sorted while another thread looks at one of them, and a name is changed while it is printed.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: data-race @sorted|@looked
 * finding: data-race @named|@printed
 * unseen: data-race
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int numbers[4] = {3, 2, 1, 0}, looked;
char name[8] = "numbers", printed[8];

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void *sorts(void *arg)
{
	(void)arg;
	qsort(numbers, 4, sizeof *numbers, compare); /* @sorted */
	name[0] = 'N';                               /* @named */
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, sorts, NULL);
	looked = numbers[2];                           /* @looked */
	snprintf(printed, sizeof printed, "%s", name); /* @printed */
	pthread_join(thread, NULL);
	return 0;
}
