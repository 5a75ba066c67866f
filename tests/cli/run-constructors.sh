# SPDX-License-Identifier: MIT
# What constructors make exists when main begins, in every execution.
. "$SOURCE/tests/cli/lib.sh"

# executions PROGRAM ARGUMENTS...: how many there are if all of them are right, else what is wrong.
executions() {
	mazurka run $options -- "$@" 2>&1 | sed 's/^no bug: the only execution explored, complete$/1/
s/^no bug: all \([0-9]*\) executions explored, complete$/\1/'
}
strategies="optimal source dpor dfs bpor"

cat >held.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
static pthread_mutex_t mutex, twice;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static pthread_barrier_t barrier;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static int value, calls;
static pthread_t first;
static const char *what;
static void once(void) { calls++; }
__attribute__((constructor)) static void prepare(int argc, char **argv)
{
	pthread_mutexattr_t recursive;
	what = argc > 1 ? argv[1] : "";
	first = pthread_self();
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&twice, &recursive);
	pthread_mutex_init(&mutex, NULL);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	sem_init(&semaphore, 0, 1);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_once(&control, once);
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&twice);
	pthread_mutex_trylock(&twice);
	pthread_spin_lock(&spin);
	if (!strcmp(what, "reads")) pthread_rwlock_rdlock(&lock);
	else pthread_rwlock_wrlock(&lock);
	value = 1;
}
static int take(void)
{
	if (!strcmp(what, "spins")) return pthread_spin_trylock(&spin);
	if (!strcmp(what, "twice")) return pthread_mutex_trylock(&twice);
	if (!strcmp(what, "reads")) return pthread_rwlock_trywrlock(&lock);
	if (!strcmp(what, "writes")) return pthread_rwlock_tryrdlock(&lock);
	if (!strcmp(what, "for-ever")) return pthread_mutex_lock(&mutex);
	return pthread_mutex_trylock(&mutex);
}
static void give(void)
{
	if (!strcmp(what, "spins")) pthread_spin_unlock(&spin);
	else if (!strcmp(what, "twice")) pthread_mutex_unlock(&twice);
	else if (!strcmp(what, "reads") || !strcmp(what, "writes")) pthread_rwlock_unlock(&lock);
	else if (strcmp(what, "for-ever")) pthread_mutex_unlock(&mutex);
}
static void *try_it(void *unused)
{
	if (take() == 0) {
		assert(value == 2); /* ordered by the lock */
		give();
	}
	return unused;
}
static void *arrive(void *unused)
{
	sem_wait(&semaphore);
	pthread_once(&control, once);
	pthread_barrier_wait(&barrier);
	return unused;
}
int main(void)
{
	pthread_t thread;
	assert(pthread_equal(first, pthread_self()) && value == 1 && calls == 1);
	pthread_create(&thread, NULL, strcmp(what, "others") ? try_it : arrive, NULL);
	value = 2;
	if (!strcmp(what, "others")) pthread_barrier_wait(&barrier);
	if (!strcmp(what, "twice")) give(); /* it is still held */
	give();
	pthread_join(thread, NULL);
	return calls != 1;
}
END
check "a program whose constructor takes locks" mazurka cc -g held.c -o held -pthread
# One thread gives the lock back while the other tries to get it, which it does or not: two executions.
for what in locks twice reads writes spins; do
	found=
	for strategy in $strategies; do
		options="--strategy $strategy" found="$found$(executions ./held $what) "
	done
	equal "held when main begins: $what" "2 2 2 2 2 " "$found"
	options="--isolation process" equal "and in a process of its own" 2 "$(executions ./held $what)"
	check "and where states are searched" mazurka run --strategy cartesian --quiet ./held $what
done
equal "a semaphore with a value, a barrier, what is done once" 1 "$(options= executions ./held others)"
equal "a lock that is held for ever" 1 "$(mazurka run ./held for-ever 2>&1 | grep -c '^bug: deadlock')"

cat >keys.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
static pthread_key_t key, deleted, later;
static tss_t other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int destroyed, calls;
static void destroy(void *value) { pthread_mutex_lock(&lock); destroyed += *(int *)value; pthread_mutex_unlock(&lock); }
static int one = 1, ten = 10;
__attribute__((constructor)) static void prepare(void)
{
	pthread_key_create(&deleted, destroy);
	pthread_key_create(&key, destroy);
	tss_create(&other, NULL);
	pthread_key_delete(deleted);
	pthread_setspecific(key, &one);
}
static void *thread(void *unused)
{
	if (pthread_getspecific(key) || tss_get(other)) exit(8);
	if (pthread_setspecific(key, &ten) || tss_set(other, &ten) != thrd_success) exit(9);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t threads[2];
	if (pthread_getspecific(key) != &one || pthread_setspecific(deleted, &one) == 0) return 7;
	pthread_key_create(&later, NULL);
	if (later == key || later == other || pthread_getspecific(later)) return 6;
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	if (argc > 1 && !strcmp(argv[1], "wrong")) abort();
	return destroyed != 20 || pthread_getspecific(key) != &one;
}
END
check "a program whose constructor makes keys" mazurka cc -g keys.c -o keys -pthread
# The two destructors take the lock in either order.
for options in "" "--strategy source" "--isolation process" "--checkpoints always"; do
	equal "keys that exist when main begins $options" 2 "$(executions ./keys)"
done
check "where states are searched" mazurka run --strategy cartesian --quiet ./keys

cat >handlers.cc <<'END'
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <thread>
static int destroyed, handled;
struct object {
	int value = 3;
	~object() { destroyed++; }
};
static thread_local object own;
static int early = own.value;
static const std::thread::id first = std::this_thread::get_id();
static void handle(int) { handled++; }
static void check() { if (destroyed != 2) std::abort(); }
__attribute__((constructor)) static void prepare()
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	std::signal(SIGUSR1, handle);
	std::signal(SIGUSR2, handle);
	pthread_atfork([] { std::abort(); }, nullptr, nullptr);
}
int main()
{
	if (first != std::this_thread::get_id()) return 1;
	std::atexit(check);
	std::thread([] { own.value++; }).join();
	raise(SIGUSR1);
	raise(SIGUSR2);
	return handled == 1 && destroyed == 1 && early == 3 ? 0 : 2;
}
END
check "a program whose constructors set handlers" mazurka c++ -g handlers.cc -o handlers -pthread
for options in "" "--isolation process"; do
	equal "handlers and masks, the first thread's handle and variables $options" 1 "$(executions ./handlers)"
done

cat >threads.c <<'END'
#include <pthread.h>
#include <string.h>
#include <unistd.h>
static pthread_t thread;
static void *run(void *for_ever)
{
	while (for_ever) pause();
	return NULL;
}
__attribute__((constructor)) static void prepare(int argc, char **argv)
{
	if (argc < 2) return;
	pthread_create(&thread, NULL, run, strcmp(argv[1], "runs") ? NULL : &thread);
	if (!strcmp(argv[1], "joined")) pthread_join(thread, NULL);
	if (!strcmp(argv[1], "over")) usleep(100000);
}
int main(int argc, char **argv) { return argc > 1 && !strcmp(argv[1], "over") ? pthread_join(thread, NULL) : 0; }
END
check "a program whose constructor starts a thread" mazurka cc -g threads.c -o threads -pthread
options= equal "a thread that is joined before main" 1 "$(executions ./threads joined)"
refused "one that still runs" "mazurka: $PWD/threads cannot be explored: a thread that was started before main still runs when main begins, \
which cannot be explored: start it in main" mazurka run ./threads runs
refused "one that is not joined" "mazurka: $PWD/threads cannot be explored: a thread that was started before main is not joined when main begins, \
which cannot be explored: join it where it was started, or start it in main" mazurka run ./threads over

cat >channels.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int ends[2], half[2], events;
__attribute__((constructor)) static void prepare(void)
{
	assert(pipe(ends) == 0 && write(ends[1], "ab", 2) == 2);
	assert(pipe(half) == 0 && write(half[1], "q", 1) == 1 && close(half[1]) == 0);
	events = eventfd(2, EFD_SEMAPHORE);
}
static void *thread(void *unused)
{
	assert(write(ends[1], "c", 1) == 1);
	return unused;
}
int main(void)
{
	pthread_t writer;
	uint64_t number;
	char letter;
	assert(read(events, &number, sizeof number) == 8 && read(events, &number, sizeof number) == 8 && number == 1);
	assert(read(half[0], &letter, 1) == 1 && letter == 'q' && read(half[0], &letter, 1) == 0);
	pthread_create(&writer, NULL, thread, NULL);
	for (char wanted = 'a'; wanted <= 'c'; wanted++) assert(read(ends[0], &letter, 1) == 1 && letter == wanted);
	pthread_join(writer, NULL);
	close(ends[1]);
	assert(read(ends[0], &letter, 1) == 0);
	return 0;
}
END
check "a program whose constructor makes pipes" mazurka cc -g channels.c -o channels -pthread
# The third letter is written before the first is read, before the second, or after it.
for options in "" "--strategy source" "--isolation process" "--checkpoints always"; do
	equal "pipes that exist when main begins $options" 3 "$(executions ./channels)"
done

cat >early.c <<'END'
#include <mazurka.h>
#include <assert.h>
static int x;
__attribute__((constructor)) static void choose(void)
{
	x = mz_choose(3);
}
int main(void)
{
	assert(x < 2);
	return 0;
}
END
mazurka cc -g early.c -o early
refused "a choice before main begins" \
	"mazurka: $PWD/early cannot be explored: mz_choose() is called before main begins, where nothing is explored: call it in main, or later" \
	mazurka run ./early
