/* SPDX-License-Identifier: MIT
 * Futexes, signals, clocks and timers. */
#include "values.h"

static unsigned word, second;

static long futex(unsigned *address, int operation, unsigned value, const struct timespec *time, unsigned *other,
                  unsigned more)
{
	return syscall(SYS_futex, address, operation, value, time, other, more);
}

static const struct timespec moment = {0, 1000}, bad_moment = {0, 2000000000}, negative_moment = {-1, 0};

PROBE(futex_wait)
{
	word = 3;
	SHOW(futex(&word, FUTEX_WAIT, 4, NULL, NULL, 0));
	SHOW(futex(&word, FUTEX_WAIT_PRIVATE, 4, NULL, NULL, 0));
	SHOW(futex(&word, FUTEX_WAIT, 3, &moment, NULL, 0));
	SHOW(futex(&word, FUTEX_WAIT, 4, &moment, NULL, 0));
	SHOW(futex(&word, FUTEX_WAIT, 3, &bad_moment, NULL, 0));
	SHOW(futex(&word, FUTEX_WAIT, 3, &negative_moment, NULL, 0));
	SHOW(futex(&word, FUTEX_WAIT_BITSET, 3, &past, NULL, 1));
	SHOW(futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 3, &past, NULL, 1));
	SHOW(futex(&word, FUTEX_WAIT_BITSET, 3, &past, NULL, 0));
	SHOW(futex(&word, FUTEX_WAIT_BITSET, 4, &past, NULL, 1));
}

PROBE(futex_address)
{
	SHOW(futex((unsigned *)((char *)&word + 1), FUTEX_WAIT, 0, NULL, NULL, 0));
	SHOW(futex((unsigned *)((char *)&word + 1), FUTEX_WAKE, 1, NULL, NULL, 0));
	SHOW(futex((unsigned *)16, FUTEX_WAIT, 0, NULL, NULL, 0));
	SHOW(futex((unsigned *)16, FUTEX_WAKE, 1, NULL, NULL, 0));
	SHOW(futex((unsigned *)16, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0));
}

PROBE(futex_wake)
{
	SHOW(futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0));
	SHOW(futex(&word, FUTEX_WAKE, 0, NULL, NULL, 0));
	SHOW(futex(&word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0));
	SHOW(futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0));
	SHOW(futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 3));
}

PROBE(futex_requeue)
{
	word = 3;
	SHOW(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &second, 4));
	SHOW(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &second, 3));
	SHOW(futex(&word, FUTEX_REQUEUE, 1, (void *)1, &second, 0));
}

PROBE(futex_unknown)
{
	SHOW(futex(&word, 99, 1, NULL, NULL, 0));
}

static volatile int handled;

static void handle(int number)
{
	handled = number;
}

static struct sigaction action = {.sa_handler = handle};
static sigset_t set, old, empty;

static void block(int number)
{
	sigemptyset(&empty);
	sigemptyset(&set);
	sigaddset(&set, number);
	SHOW(pthread_sigmask(SIG_BLOCK, &set, NULL));
}

PROBE(signal_numbers)
{
	struct sigaction was;
	SHOW(kill(getpid(), 0));
	SHOW(kill(getpid(), 500));
	SHOW(raise(500));
	SHOW(raise(-1));
	SHOW(raise(0));
	SHOW(sigaction(500, &action, NULL));
	SHOW(sigaction(0, NULL, NULL));
	SHOW(sigaction(SIGKILL, &action, NULL));
	SHOW(sigaction(SIGSTOP, &action, NULL));
	SHOW(sigaction(SIGKILL, NULL, &was));
	SHOW(sigaction(SIGUSR1, &action, NULL));
	SHOW(sigaction(SIGUSR1, NULL, &was));
	SHOW(was.sa_handler == handle);
	SHOW(signal(SIGKILL, handle) == SIG_ERR ? errno : 0);
	SHOW(signal(500, handle) == SIG_ERR ? errno : 0);
	SHOW(signal(SIGUSR1, SIG_IGN) == handle);
	SHOW(signal(SIGUSR1, SIG_DFL) == SIG_IGN);
	SHOW(pthread_kill(pthread_self(), 0));
	SHOW(pthread_kill(pthread_self(), 500));
}

PROBE(signal_masks)
{
	block(SIGUSR1);
	SHOW(sigprocmask(77, &set, &old));
	SHOW(pthread_sigmask(77, &set, &old));
	SHOW(sigprocmask(77, NULL, &old));
	SHOW(sigismember(&old, SIGUSR1));
	sigfillset(&set);
	SHOW(sigprocmask(SIG_SETMASK, &set, &old));
	SHOW(sigprocmask(SIG_SETMASK, NULL, &set));
	SHOW(sigismember(&set, SIGKILL));
	SHOW(sigismember(&set, SIGUSR2));
	SHOW(sigpending(&set));
	SHOW(sigismember(&set, SIGUSR1));
	SHOW(sigprocmask(SIG_UNBLOCK, &old, NULL));
}

PROBE(signal_raised)
{
	sigaction(SIGUSR1, &action, NULL);
	SHOW(raise(SIGUSR1));
	SHOW(handled);
	handled = 0;
	block(SIGUSR1);
	SHOW(raise(SIGUSR1));
	SHOW(handled);
	SHOW(sigpending(&old));
	SHOW(sigismember(&old, SIGUSR1));
	SHOW(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
	SHOW(handled);
	handled = 0;
	SHOW(kill(getpid(), SIGUSR1));
	SHOW(handled);
}

PROBE(signal_waited)
{
	int number = 55;
	siginfo_t info;
	block(SIGUSR1);
	SHOW(sigtimedwait(&set, NULL, &(struct timespec){0, 0}));
	SHOW(sigtimedwait(&set, NULL, &bad_moment));
	SHOW(sigtimedwait(&set, NULL, &negative_moment));
	SHOW(sigtimedwait(&empty, NULL, &moment));
	raise(SIGUSR1);
	SHOW(sigwait(&set, &number));
	SHOW(number);
	raise(SIGUSR1);
	SHOW(sigwaitinfo(&set, &info));
	SHOW(info.si_signo);
	SHOW(info.si_code);
	kill(getpid(), SIGUSR1);
	SHOW(sigtimedwait(&set, &info, &moment));
	SHOW(info.si_code);
	SHOW(info.si_pid == getpid());
	SHOW(sigpending(&old));
	SHOW(sigismember(&old, SIGUSR1));
}

PROBE(signal_suspended)
{
	sigaction(SIGUSR1, &action, NULL);
	block(SIGUSR1);
	raise(SIGUSR1);
	SHOW(sigsuspend(&empty));
	SHOW(handled);
	SHOW(sigprocmask(SIG_BLOCK, NULL, &old));
	SHOW(sigismember(&old, SIGUSR1));
}

PROBE(signal_stack)
{
	char memory[20000];
	stack_t stack = {.ss_sp = memory, .ss_size = 100}, was;
	SHOW(sigaltstack(&stack, NULL));
	stack.ss_size = sizeof(memory), stack.ss_flags = 77;
	SHOW(sigaltstack(&stack, NULL));
	stack.ss_flags = 0;
	SHOW(sigaltstack(&stack, &was));
	SHOW(was.ss_flags);
	SHOW(sigaltstack(NULL, &was));
	SHOW(was.ss_size);
	stack.ss_flags = SS_DISABLE;
	SHOW(sigaltstack(&stack, NULL));
}

PROBE(clocks)
{
	struct timespec t;
	struct timeval v;
	SHOW(clock_gettime(CLOCK_REALTIME, &t));
	SHOW(clock_gettime(CLOCK_MONOTONIC, &t));
	SHOW(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t));
	SHOW(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t));
	SHOW(clock_gettime(CLOCK_MONOTONIC_RAW, &t));
	SHOW(clock_gettime(CLOCK_REALTIME_COARSE, &t));
	SHOW(clock_gettime(CLOCK_BOOTTIME, &t));
	SHOW(clock_gettime(CLOCK_TAI, &t));
	SHOW(clock_gettime(77, &t));
	SHOW(clock_getres(CLOCK_REALTIME, &t));
	SHOW(clock_getres(CLOCK_MONOTONIC, NULL));
	SHOW(clock_getres(77, &t));
	SHOW(clock_settime(77, &t));
	SHOW(clock_settime(CLOCK_MONOTONIC, &t));
	SHOW(clock_settime(CLOCK_REALTIME, &too_many));
	SHOW(gettimeofday(&v, NULL));
	SHOW(gettimeofday(NULL, NULL));
	SHOW(time(NULL) > 1500000000);
	SHOW(timespec_get(&t, TIME_UTC));
	SHOW(timespec_get(&t, 77));
	SHOW(clock() != (clock_t)-1);
	SHOW(times(&(struct tms){0}) != (clock_t)-1);
}

PROBE(sleeps)
{
	struct timespec left = {5, 5};
	SHOW(nanosleep(&moment, &left));
	SHOW(left.tv_sec);
	SHOW(nanosleep(&bad_moment, NULL));
	SHOW(nanosleep(&negative_moment, NULL));
	SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL));
	SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad_moment, NULL));
	SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, &negative_moment, NULL));
	SHOW(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &past, NULL));
	SHOW(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &negative, NULL));
	SHOW(clock_nanosleep(77, 0, &moment, NULL));
	SHOW(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &moment, NULL));
	SHOW(clock_nanosleep(CLOCK_MONOTONIC_RAW, 0, &moment, NULL));
	SHOW(clock_nanosleep(CLOCK_BOOTTIME, 0, &moment, NULL));
	SHOW(usleep(1));
	SHOW(usleep(0));
	SHOW(sleep(0));
}

PROBE(timers)
{
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	struct itimerspec value = {.it_value = {1000, 0}}, bad = {.it_value = {0, 2000000000}}, was;
	SHOW(timer_create(77, &event, &timer));
	SHOW(timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = 77}, &timer));
	SHOW(timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 500},
	                  &timer));
	SHOW(timer_create(CLOCK_MONOTONIC, &event, &timer));
	SHOW(timer_settime(timer, 0, &bad, NULL));
	SHOW(timer_settime(timer, 0, &value, &was));
	SHOW(was.it_value.tv_sec);
	SHOW(timer_gettime(timer, &was));
	SHOW(was.it_value.tv_sec >= 990);
	SHOW(timer_getoverrun(timer));
	SHOW(timer_delete(timer));
}

PROBE(interval_timers)
{
	struct itimerval value = {.it_value = {1000, 0}}, was;
	SHOW(getitimer(77, &was));
	SHOW(getitimer(ITIMER_REAL, &was));
	SHOW(was.it_value.tv_sec);
	SHOW(setitimer(77, &value, NULL));
	SHOW(setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, 2000000}}, NULL));
	SHOW(setitimer(ITIMER_REAL, &value, &was));
	SHOW(getitimer(ITIMER_REAL, &was));
	SHOW(was.it_value.tv_sec >= 990);
	SHOW(alarm(500) >= 990);
	SHOW(alarm(0) >= 490);
	SHOW(alarm(0));
}

PROBE(timer_descriptors)
{
	int fd;
	struct itimerspec value = {.it_value = {1000, 0}}, was;
	uint64_t read_;
	SHOW(timerfd_create(77, 0) < 0);
	SHOW(timerfd_create(CLOCK_MONOTONIC, 77));
	SHOW((fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK)) >= 0);
	SHOW(timerfd_settime(fd, 0, &(struct itimerspec){.it_value = {0, 2000000000}}, NULL));
	SHOW(timerfd_settime(fd, 77, &value, NULL));
	SHOW(timerfd_settime(fd, 0, &value, &was));
	SHOW(was.it_value.tv_sec);
	SHOW(timerfd_gettime(fd, &was));
	SHOW(was.it_value.tv_sec >= 990);
	SHOW(read(fd, &read_, sizeof(read_)));
	SHOW(read(fd, &read_, 4));
	SHOW(timerfd_settime(0, 0, &value, NULL));
	SHOW(timerfd_gettime(-1, &was));
	SHOW(close(fd));
}
