/* SPDX-License-Identifier: MIT
 *
 * Faults of a thread are handled by the program: one by jumping out, one by mending what was wrong, one by ending the
 * process. Only the assertion of the other thread is wrong, and only if that thread is first.
 *
 * expect: optimal 2
 * finding: assertion @first
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

static _Alignas(PAGE) char memory[8 * PAGE]; /* more than is copied for every execution */
static sigjmp_buf place;
static int handled;
atomic_int x;

static void handle(int number, siginfo_t *info, void *context)
{
	(void)context;
	assert(number == SIGSEGV);
	handled++;
	if (info->si_addr == (void *)8) siglongjmp(place, 1);
	if (handled == 3) _exit(0);
	assert(info->si_addr == &memory[PAGE]);
	mprotect(&memory[PAGE], PAGE, PROT_READ | PROT_WRITE);
}

static void *fault(void *arg)
{
	int *volatile nowhere = (int *)8;
	if (sigsetjmp(place, 1) == 0) *nowhere = 1;
	memory[PAGE] = 1;
	assert(handled == 2 && memory[PAGE] == 1);
	if (atomic_exchange(&x, 1) == 0) memory[3 * PAGE] = 1;
	return arg;
}

static void *check(void *arg)
{
	assert(atomic_exchange(&x, 2) == 1); /* @first */
	return arg;
}

int main(void)
{
	pthread_t a, b;
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	mprotect(&memory[PAGE], PAGE, PROT_READ);
	mprotect(&memory[3 * PAGE], PAGE, PROT_NONE);
	pthread_create(&a, NULL, fault, NULL);
	pthread_create(&b, NULL, check, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
