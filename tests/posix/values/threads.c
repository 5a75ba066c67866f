/* SPDX-License-Identifier: MIT
 * Threads and their attributes, keys, once, semaphores, <threads.h>. */
#include "values.h"

static pthread_t thread;
static sem_t semaphore, go;

IN_THREAD(end_at_once, it)
{
	return (void *)5;
}

IN_THREAD(wait_to_go, it)
{
	while (sem_wait(&go)) {}
	return (void *)6;
}

PROBE(thread_joined)
{
	void *end;
	SHOW(pthread_create(&thread, NULL, end_at_once, NULL));
	SHOW(pthread_join(thread, &end));
	SHOW(end);
}

PROBE(thread_joins_itself)
{
	SHOW(pthread_join(pthread_self(), NULL));
	SHOW(pthread_tryjoin_np(pthread_self(), NULL));
	SHOW(pthread_timedjoin_np(pthread_self(), NULL, &past));
}

PROBE(thread_still_runs)
{
	void *end;
	sem_init(&go, 0, 0);
	pthread_create(&thread, NULL, wait_to_go, NULL);
	SHOW(pthread_tryjoin_np(thread, NULL));
	SHOW(pthread_timedjoin_np(thread, NULL, &past));
	SHOW(pthread_timedjoin_np(thread, NULL, &negative));
	SHOW(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &past));
	SHOW(pthread_clockjoin_np(thread, NULL, 77, &past));
	SHOW(pthread_kill(thread, 0));
	SHOW(pthread_kill(thread, 500));
	SHOW(pthread_kill(thread, -1));
	sem_post(&go);
	SHOW(pthread_timedjoin_np(thread, &end, NULL));
	SHOW(end);
}

PROBE(thread_detached)
{
	pthread_attr_t a;
	sem_init(&go, 0, 0);
	pthread_attr_init(&a);
	SHOW(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED));
	SHOW(pthread_create(&thread, &a, wait_to_go, NULL));
	SHOW(pthread_join(thread, NULL));
	SHOW(pthread_detach(thread));
	SHOW(pthread_tryjoin_np(thread, NULL));
	SHOW(pthread_timedjoin_np(thread, NULL, &past));
	SHOW(pthread_kill(thread, 0));
	sem_post(&go);
}

PROBE(thread_detached_later)
{
	sem_init(&go, 0, 0);
	pthread_create(&thread, NULL, wait_to_go, NULL);
	SHOW(pthread_detach(thread));
	SHOW(pthread_detach(thread));
	SHOW(pthread_join(thread, NULL));
	sem_post(&go);
}

PROBE(thread_ended)
{
	pthread_create(&thread, NULL, end_at_once, NULL);
	while (pthread_timedjoin_np(thread, NULL, &past) == EBUSY) {}
	SHOW(pthread_equal(thread, pthread_self()) != 0);
	SHOW(pthread_equal(pthread_self(), pthread_self()) != 0);
}

PROBE(thread_names)
{
	char name[16], small[4];
	SHOW(pthread_setname_np(pthread_self(), "sixteen-letters-"));
	SHOW(pthread_setname_np(pthread_self(), "fifteen-letters"));
	SHOW(pthread_getname_np(pthread_self(), name, sizeof(name)));
	SHOW(strcmp(name, "fifteen-letters"));
	SHOW(pthread_getname_np(pthread_self(), small, sizeof(small)));
	SHOW(pthread_setname_np(pthread_self(), ""));
	SHOW(pthread_getname_np(pthread_self(), name, sizeof(name)));
	SHOW(strlen(name));
	SHOW(prctl(PR_SET_NAME, "seventeen-letters"));
	SHOW(pthread_getname_np(pthread_self(), name, sizeof(name)));
	SHOW(strcmp(name, "seventeen-lette"));
	SHOW(pthread_setname_np(pthread_self(), "short"));
	SHOW(prctl(PR_GET_NAME, name));
	SHOW(strcmp(name, "short"));
}

PROBE(thread_scheduling)
{
	int policy = 55;
	struct sched_param p = {55};
	cpu_set_t set;
	SHOW(pthread_getschedparam(pthread_self(), &policy, &p));
	SHOW(policy);
	SHOW(p.sched_priority);
	SHOW(pthread_setschedparam(pthread_self(), 77, &p));
	p.sched_priority = 1000;
	SHOW(pthread_setschedparam(pthread_self(), SCHED_FIFO, &p));
	SHOW(pthread_setschedprio(pthread_self(), 1000));
	SHOW(pthread_setschedprio(pthread_self(), 0));
	SHOW(pthread_getaffinity_np(pthread_self(), 1, &set));
	SHOW(pthread_getaffinity_np(pthread_self(), sizeof(set), &set));
	SHOW(CPU_COUNT(&set) > 0);
	CPU_ZERO(&set);
	SHOW(pthread_setaffinity_np(pthread_self(), sizeof(set), &set));
	SHOW(sched_yield());
	SHOW(pthread_getconcurrency());
	SHOW(pthread_setconcurrency(-1));
	SHOW(pthread_setconcurrency(3));
	SHOW(pthread_getconcurrency());
}

PROBE(thread_attributes)
{
	int value;
	size_t size;
	void *stack;
	struct sched_param p = {55};
	pthread_attr_t a;
	SHOW(pthread_attr_init(&a));
	SHOW(pthread_attr_getdetachstate(&a, &value));
	SHOW(value);
	SHOW(pthread_attr_setdetachstate(&a, 77));
	SHOW(pthread_attr_setstacksize(&a, 100));
	SHOW(pthread_attr_setstacksize(&a, 1 << 20));
	SHOW(pthread_attr_getstacksize(&a, &size));
	SHOW(size);
	SHOW(pthread_attr_setguardsize(&a, 8192));
	SHOW(pthread_attr_getguardsize(&a, &size));
	SHOW(size);
	SHOW(pthread_attr_setinheritsched(&a, 77));
	SHOW(pthread_attr_getinheritsched(&a, &value));
	SHOW(value);
	SHOW(pthread_attr_setschedpolicy(&a, 77));
	SHOW(pthread_attr_getschedpolicy(&a, &value));
	SHOW(value);
	SHOW(pthread_attr_setschedparam(&a, &p));
	SHOW(pthread_attr_getschedparam(&a, &p));
	SHOW(p.sched_priority);
	SHOW(pthread_attr_setscope(&a, 77));
	SHOW(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS));
	SHOW(pthread_attr_getscope(&a, &value));
	SHOW(value);
	SHOW(pthread_attr_setstack(&a, (void *)16, 100));
	SHOW(pthread_attr_getstack(&a, &stack, &size));
	SHOW(pthread_attr_destroy(&a));
}

IN_THREAD(show_own_attributes, it)
{
	int value;
	size_t size;
	pthread_attr_t a;
	cpu_set_t processors;
	sigset_t mask;
	SHOW(pthread_getattr_np(pthread_self(), &a));
	SHOW(pthread_attr_getdetachstate(&a, &value));
	SHOW(value);
	SHOW(pthread_attr_getstacksize(&a, &size));
	SHOW(size);
	SHOW(pthread_attr_getguardsize(&a, &size));
	SHOW(size);
	SHOW(pthread_attr_getinheritsched(&a, &value));
	SHOW(value);
	SHOW(pthread_attr_getschedpolicy(&a, &value));
	SHOW(value);
	SHOW(pthread_attr_getscope(&a, &value));
	SHOW(value);
	SHOW(pthread_attr_getaffinity_np(&a, sizeof(cpu_set_t), &processors));
	SHOW(CPU_COUNT(&processors));
	SHOW(pthread_attr_getsigmask_np(&a, &mask));
	SHOW(pthread_attr_destroy(&a));
	return NULL;
}

PROBE(thread_own_attributes)
{
	pthread_attr_t a;
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 1 << 18);
	pthread_attr_setguardsize(&a, 8192);
	pthread_create(&thread, &a, show_own_attributes, NULL);
	pthread_join(thread, NULL);
}

static void create(const pthread_attr_t *a)
{
	int error = pthread_create(&thread, a, show_own_attributes, NULL);
	if (!error) pthread_join(thread, NULL);
	SHOW(error);
}

PROBE(thread_sizes)
{
	pthread_attr_t a;
	create(NULL);
	pthread_attr_init(&a);
	create(&a);
	pthread_attr_setstacksize(&a, 300000);
	pthread_attr_setguardsize(&a, 5000);
	create(&a);
	pthread_attr_setguardsize(&a, 0);
	create(&a);
	pthread_attr_setguardsize(&a, 1 << 30);
	create(&a);
	pthread_attr_setguardsize(&a, -1);
	create(&a);
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 1UL << 50);
	create(&a);
}

IN_THREAD(show_place, stack)
{
	void *low;
	size_t size;
	char here;
	pthread_attr_t a;
	SHOW(pthread_getattr_np(pthread_self(), &a));
	SHOW(pthread_attr_getstack(&a, &low, &size));
	SHOW((char *)low - (char *)stack);
	SHOW((uintptr_t)&here - (uintptr_t)low < size);
	return NULL;
}

PROBE(thread_given_stack)
{
	static char stack[1 << 17] __attribute__((aligned(4096)));
	pthread_attr_t a;
	pthread_attr_init(&a);
	SHOW(pthread_attr_setstack(&a, stack, 1000));
	SHOW(pthread_attr_setstack(&a, stack, sizeof(stack)));
	pthread_attr_setguardsize(&a, 8192);
	create(&a);
	SHOW(pthread_create(&thread, &a, show_place, stack));
	pthread_join(thread, NULL);
	SHOW(pthread_attr_setstack(&a, stack + 8, 100000));
	create(&a);
	SHOW(pthread_create(&thread, &a, show_place, stack));
	pthread_join(thread, NULL);
	SHOW(pthread_setattr_default_np(&a));
}

PROBE(thread_defaults)
{
	size_t size;
	int value;
	pthread_attr_t a, b;
	struct sched_param p = {10};
	pthread_attr_init(&a);
	SHOW(pthread_attr_setstacksize(&a, 1 << 20));
	pthread_attr_setguardsize(&a, 0);
	SHOW(pthread_setattr_default_np(&a));
	create(NULL);
	SHOW(pthread_attr_init(&b));
	SHOW(pthread_attr_getstacksize(&b, &size));
	SHOW(size);
	create(&b);
	SHOW(pthread_setattr_default_np(&b));
	SHOW(pthread_getattr_default_np(&a));
	SHOW(pthread_attr_getstacksize(&a, &size));
	SHOW(size);
	SHOW(pthread_attr_getguardsize(&a, &size));
	SHOW(size);
	pthread_attr_setschedpolicy(&b, SCHED_FIFO);
	SHOW(pthread_setattr_default_np(&b));
	SHOW(pthread_attr_setschedparam(&b, &p));
	SHOW(pthread_setattr_default_np(&b));
	SHOW(pthread_getattr_default_np(&a));
	SHOW(pthread_attr_getschedpolicy(&a, &value));
	SHOW(value);
	pthread_attr_setschedpolicy(&b, SCHED_OTHER);
	SHOW(pthread_setattr_default_np(&b));
	pthread_attr_init(&b);
	pthread_attr_setdetachstate(&b, PTHREAD_CREATE_DETACHED);
	SHOW(pthread_setattr_default_np(&b));
	SHOW(pthread_getattr_default_np(&a));
	SHOW(pthread_attr_getdetachstate(&a, &value));
	SHOW(value);
}

PROBE(thread_placed_by_attributes)
{
	pthread_attr_t a;
	cpu_set_t set;
	CPU_ZERO(&set);
	pthread_attr_init(&a);
	SHOW(pthread_attr_setaffinity_np(&a, sizeof(set), &set));
	create(&a);
	CPU_SET(900, &set);
	SHOW(pthread_attr_setaffinity_np(&a, sizeof(set), &set));
	create(&a);
	CPU_SET(0, &set);
	SHOW(pthread_attr_setaffinity_np(&a, sizeof(set), &set));
	create(&a);
}

PROBE(thread_scheduled_by_attributes)
{
	pthread_attr_t a;
	struct sched_param p = {10};
	pthread_attr_init(&a);
	pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED);
	create(&a);
	SHOW(pthread_attr_setschedpolicy(&a, SCHED_FIFO));
	SHOW(pthread_attr_setschedparam(&a, &p));
	create(&a);
	pthread_attr_setinheritsched(&a, PTHREAD_INHERIT_SCHED);
	create(&a);
	pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED);
	SHOW(pthread_attr_setschedpolicy(&a, SCHED_OTHER));
	create(&a);
}

PROBE(scheduling_by_number)
{
	struct sched_param p = {55};
	cpu_set_t set;
	SHOW(sched_getscheduler(0));
	SHOW(sched_getparam(0, &p));
	SHOW(p.sched_priority);
	SHOW(sched_setscheduler(0, 77, &p));
	p.sched_priority = 1000;
	SHOW(sched_setscheduler(0, SCHED_FIFO, &p));
	SHOW(sched_setparam(0, &p));
	p.sched_priority = 0;
	SHOW(sched_setscheduler(getpid(), SCHED_BATCH, &p));
	SHOW(sched_getscheduler(0));
	SHOW(sched_setparam(0, &p));
	SHOW(sched_getscheduler(-1));
	SHOW(sched_getscheduler(1 << 30));
	SHOW(sched_getaffinity(0, 1, &set));
	SHOW(sched_getaffinity(0, sizeof(set) - 1, &set));
	SHOW(sched_getaffinity(-1, sizeof(set), &set));
	SHOW(sched_getaffinity(1 << 30, sizeof(set), &set));
	SHOW(sched_getaffinity(getpid(), sizeof(set), &set));
	SHOW(CPU_COUNT(&set));
	CPU_ZERO(&set);
	SHOW(sched_setaffinity(0, sizeof(set), &set));
	SHOW(sched_setaffinity(0, 0, &set));
	CPU_SET(0, &set);
	SHOW(sched_setaffinity(0, 1, &set));
	SHOW(sched_setaffinity(-1, sizeof(set), &set));
	SHOW(sched_setaffinity(1 << 30, sizeof(set), &set));
	SHOW(sched_getaffinity(0, sizeof(set), &set));
	SHOW(CPU_COUNT(&set));
	SHOW(pthread_getaffinity_np(pthread_self(), sizeof(set), &set));
	SHOW(CPU_COUNT(&set));
	create(NULL);
}

IN_THREAD(sleep_by_clock, clock)
{
	const struct timespec moment = {0, 1};
	SHOW(clock_nanosleep(*(clockid_t *)clock, TIMER_ABSTIME, &moment, NULL));
	return NULL;
}

PROBE(thread_clocks)
{
	clockid_t clock = 77;
	struct timespec time = {-1, -1};
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	SHOW(pthread_getcpuclockid(pthread_self(), &clock));
	SHOW(clock < 0);
	SHOW(clock_gettime(clock, &time));
	SHOW(time.tv_sec);
	SHOW(clock_getres(clock, &time));
	SHOW(time.tv_nsec);
	SHOW(clock_getres(77, &time));
	SHOW(clock_settime(clock, &time));
	SHOW(clock_nanosleep(clock, 0, &time, NULL));
	SHOW(timer_create(clock, &event, &timer));
	SHOW(timer_delete(timer));
	beside(sleep_by_clock, &clock);
}

PROBE(cancel_states)
{
	int old = 55;
	SHOW(pthread_setcancelstate(77, &old));
	SHOW(old);
	SHOW(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
	SHOW(old);
	SHOW(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old));
	SHOW(old);
	SHOW(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL));
	SHOW(pthread_setcanceltype(77, &old));
	SHOW(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old));
	SHOW(old);
}

IN_THREAD(wait_to_be_cancelled, it)
{
	sem_wait(&go);
	return NULL;
}

PROBE(cancelled)
{
	void *end;
	sem_init(&go, 0, 0);
	pthread_create(&thread, NULL, wait_to_be_cancelled, NULL);
	SHOW(pthread_cancel(thread));
	SHOW(pthread_join(thread, &end));
	SHOW(end == PTHREAD_CANCELED);
}

PROBE(keys)
{
	pthread_key_t key, more[2000];
	int made = 0, failed = 0;
	SHOW(pthread_key_create(&key, NULL));
	SHOW(pthread_getspecific(key));
	SHOW(pthread_setspecific(key, &made));
	SHOW(pthread_getspecific(key) == &made);
	SHOW(pthread_key_delete(key));
	SHOW(pthread_key_delete(key));
	SHOW(pthread_setspecific(key, &made));
	SHOW(pthread_getspecific(key));
	SHOW(pthread_setspecific(5000, &made));
	SHOW(pthread_getspecific(5000));
	SHOW(pthread_key_delete(5000));
	while (!(failed = pthread_key_create(&more[made], NULL)) && made < 1999) made++;
	SHOW(made);
	SHOW(failed);
	while (made--) pthread_key_delete(more[made]);
	SHOW(pthread_key_create(&key, NULL));
	SHOW(pthread_getspecific(key));
}

static int calls;

static void call(void)
{
	calls++;
}

PROBE(once)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	SHOW(pthread_once(&once, call));
	SHOW(pthread_once(&once, call));
	SHOW(calls);
}

PROBE(semaphore_values)
{
	int value;
	SHOW(sem_init(&semaphore, 0, 1U + SEM_VALUE_MAX));
	SHOW(sem_init(&semaphore, 0, SEM_VALUE_MAX));
	SHOW(sem_getvalue(&semaphore, &value));
	SHOW(value);
	SHOW(sem_post(&semaphore));
	SHOW(sem_trywait(&semaphore));
	SHOW(sem_post(&semaphore));
	SHOW(sem_destroy(&semaphore));
	SHOW(sem_init(&semaphore, 0, 0));
	SHOW(sem_trywait(&semaphore));
	SHOW(sem_timedwait(&semaphore, &past));
	SHOW(sem_timedwait(&semaphore, &negative));
	SHOW(sem_timedwait(&semaphore, &too_many));
	SHOW(sem_timedwait(&semaphore, &below));
	SHOW(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past));
	SHOW(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &too_many));
	SHOW(sem_clockwait(&semaphore, CLOCK_PROCESS_CPUTIME_ID, &past));
	SHOW(sem_clockwait(&semaphore, 77, &past));
	SHOW(sem_post(&semaphore));
	SHOW(sem_timedwait(&semaphore, &past));
	SHOW(sem_post(&semaphore));
	SHOW(sem_timedwait(&semaphore, &too_many));
	SHOW(sem_post(&semaphore));
	SHOW(sem_clockwait(&semaphore, 77, &past));
	SHOW(sem_getvalue(&semaphore, &value));
	SHOW(value);
}

PROBE(semaphore_names)
{
	int value = 55;
	char name[300], path[40];
	sem_t *s, *t;
	memset(name, 'a', sizeof(name) - 1);
	name[0] = '/', name[sizeof(name) - 1] = 0;
	snprintf(path, sizeof(path), "/values-%d", (int)getpid());
	SHOW(sem_open("/values-that-nobody-made", 0) == SEM_FAILED ? errno : 0);
	SHOW(sem_open("", O_CREAT, 0600, 1) == SEM_FAILED ? errno : 0);
	SHOW(sem_open("/", O_CREAT, 0600, 1) == SEM_FAILED ? errno : 0);
	SHOW(sem_open("/a/b", O_CREAT, 0600, 1) == SEM_FAILED ? errno : 0);
	SHOW(sem_open(name, O_CREAT, 0600, 1) == SEM_FAILED ? errno : 0);
	SHOW(sem_unlink(name));
	name[NAME_MAX] = 0;
	SHOW(sem_open(name, O_CREAT, 0600, 1) == SEM_FAILED ? errno : 0);
	SHOW(sem_unlink(name));
	SHOW(sem_open(path, O_CREAT, 0600, 1U + SEM_VALUE_MAX) == SEM_FAILED ? errno : 0);
	SHOW((s = sem_open(path, O_CREAT | O_EXCL, 0600, 3)) == SEM_FAILED);
	SHOW(sem_open(path, O_CREAT | O_EXCL, 0600, 3) == SEM_FAILED ? errno : 0);
	SHOW((t = sem_open(path, 0)) == s);
	SHOW((t = sem_open(path, O_CREAT, 0600, 9)) == s);
	SHOW(sem_getvalue(s, &value));
	SHOW(value);
	SHOW(sem_wait(s));
	SHOW(sem_trywait(t));
	SHOW(sem_unlink(path));
	SHOW(sem_unlink(path));
	SHOW(sem_unlink(""));
	SHOW(sem_unlink("/values-that-nobody-made"));
	SHOW(sem_open(path, 0) == SEM_FAILED ? errno : 0);
	SHOW(sem_post(s));
	SHOW(sem_close(s));
	SHOW(sem_close(t));
	SHOW(sem_close(t));
	SHOW(sem_close(s));
}

static mtx_t m;
static cnd_t c;

IN_THREAD(try_mtx, it)
{
	SHOW(mtx_trylock(&m));
	SHOW(mtx_timedlock(&m, &past));
	SHOW(mtx_timedlock(&m, &too_many));
	return NULL;
}

PROBE(c11_mutex)
{
	SHOW(mtx_init(&m, 77));
	SHOW(mtx_init(&m, mtx_recursive));
	SHOW(mtx_init(&m, mtx_timed | mtx_recursive));
	SHOW(mtx_init(&m, mtx_timed));
	SHOW(mtx_lock(&m));
	beside(try_mtx, NULL);
	SHOW(mtx_trylock(&m));
	SHOW(mtx_unlock(&m));
	SHOW(mtx_init(&m, mtx_plain | mtx_recursive));
	SHOW(mtx_lock(&m));
	SHOW(mtx_trylock(&m));
	SHOW(mtx_lock(&m));
	SHOW(mtx_unlock(&m));
	SHOW(mtx_unlock(&m));
	SHOW(mtx_unlock(&m));
	SHOW(mtx_unlock(&m));
}

PROBE(c11_condition)
{
	mtx_init(&m, mtx_plain);
	SHOW(cnd_init(&c));
	SHOW(cnd_signal(&c));
	SHOW(cnd_broadcast(&c));
	SHOW(mtx_lock(&m));
	SHOW(cnd_timedwait(&c, &m, &past));
	SHOW(cnd_timedwait(&c, &m, &too_many));
	SHOW(mtx_unlock(&m));
}

static int end_with_nine(void *it)
{
	return (int)(long)it;
}

static int exit_with_eight(void *it)
{
	(void)it;
	thrd_exit(8);
}

PROBE(c11_threads)
{
	int end;
	thrd_t t;
	struct timespec tick = {0, 1}, left;
	SHOW(thrd_create(&t, end_with_nine, (void *)9));
	SHOW(thrd_join(t, &end));
	SHOW(end);
	SHOW(thrd_create(&t, end_with_nine, (void *)-1));
	SHOW(thrd_join(t, &end));
	SHOW(end);
	SHOW(thrd_create(&t, exit_with_eight, NULL));
	SHOW(thrd_join(t, &end));
	SHOW(end);
	SHOW(thrd_create(&t, exit_with_eight, NULL));
	SHOW(thrd_detach(t));
	SHOW(thrd_join(thrd_current(), NULL));
	SHOW(thrd_equal(thrd_current(), thrd_current()) != 0);
	SHOW(thrd_sleep(&tick, &left));
	SHOW(thrd_sleep(&too_many, NULL) < 0);
	SHOW(thrd_sleep(&negative, NULL) < 0);
	thrd_yield();
}

PROBE(c11_storage)
{
	tss_t key, more[2000];
	int made = 0, failed;
	SHOW(tss_create(&key, NULL));
	SHOW(tss_get(key));
	SHOW(tss_set(key, &made));
	SHOW(tss_get(key) == &made);
	tss_delete(key);
	SHOW(tss_set(key, &made));
	SHOW(tss_get(key));
	while (!(failed = tss_create(&more[made], NULL)) && made < 1999) made++;
	SHOW(made);
	SHOW(failed);
}
