/* SPDX-License-Identifier: MIT
 *
 * A thread waits for what never comes. That an alarm would end the program at last does not make it right.
 *
 * expect: optimal 1
 * finding: deadlock @waits
 */
#include <semaphore.h>
#include <unistd.h>

int main(void)
{
	sem_t semaphore;
	sem_init(&semaphore, 0, 0);
	alarm(60);
	sem_wait(&semaphore); /* @waits */
	return 0;
}
