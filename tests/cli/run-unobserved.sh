# SPDX-License-Identifier: MIT
# "complete" is said of what was observed: what ran out of sight is named.
. "$SOURCE/tests/cli/lib.sh"
run="$BUILD/mazurka run"
part="complete for what was observed"

cat >threads.h <<'END'
#include <assert.h>
#include <pthread.h>
static void two(void *(*function)(void *))
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, function, 0);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
END

# ---- assembly ----
cat >fills.c <<'END'
#include "threads.h"
static char there[8];
static void *fill(void *unused)
{
	void *to = there;
	unsigned long n = sizeof there;
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(1) : "memory"); /* HERE */
	return unused;
}
int main(void)
{
	two(fill);
	return 0;
}
END
cat >touches-nothing.c <<'END'
#include "threads.h"
static void *nothing(void *unused)
{
	unsigned low, high, mode;
	int here = 5;
	__asm__ volatile("" ::: "memory");
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	__asm__ volatile("pause; lfence; lock; orl $0, (%%rsp)" ::: "memory", "cc");
	__asm__ volatile("rep; nop");
	__asm__ volatile("stmxcsr %0" : "=m"(mode));
	__asm__("bsrl %1, %0" : "=r"(here) : "rm"(here) : "cc");
	__asm__("addl %1, %0" : "+m"(here) : "r"(1) : "cc");
	__asm__ volatile("nopl 0(%%rax); leaq 8(%%rax), %%rcx; movq %%fs:0, %%rax" ::: "rax", "rcx");
	return unused;
}
int main(void)
{
	two(nothing);
	return 0;
}
END
cat >by-hand.S <<'END'
	.text
	.globl add_one
	.type add_one, @function
add_one:			/* lock; this is no instruction */
	movl $1, %eax
	lock; xaddl %eax, (%rdi)	# nor this: movsb
	ret
	.globl copy_byte
copy_byte:
	movsb
	ret
	.section .note.GNU-stack, "", @progbits
END
cat >uses-it.c <<'END'
#include "threads.h"
int add_one(int *counter);
static int counter;
static void *add(void *unused)
{
	add_one(&counter);
	return unused;
}
int main(void)
{
	two(add);
	assert(counter == 2);
	return 0;
}
END
assembly() {
	check "$compiler: assembly builds" "$BUILD/mazurka" cc -g fills.c -o fills -pthread
	equal "$compiler: what cannot be followed is named" "uncontrolled: assembly rep stosb at fills.c:$(sed -n '/HERE/=' fills.c)" \
		"$($run ./fills | sed -n '1s/ touches.*//p' | tr '\t' ' ' | sed 's/rep;* *stosb/rep stosb/')"
	equal "$compiler: and the verdict says so" "no bug: the only execution explored, $part" "$($run ./fills | tail -n 1)"
	check "$compiler: in pieces" "$BUILD/mazurka" cc -O2 -g touches-nothing.c -o touches-nothing -pthread
	equal "$compiler: what touches nothing is not" "no bug: the only execution explored, complete" "$($run ./touches-nothing)"
	check "$compiler: by hand" "$BUILD/mazurka" cc -g uses-it.c by-hand.S -o uses-it -pthread
	equal "$compiler: files of assembly likewise" "uncontrolled: assembly movsb at by-hand.S:10 no bug: all 2 executions explored, $part" \
		"$($run ./uses-it | sed 's/ touches.*//' | tr '\n' ' ' | sed 's/ $//')"
	check "$compiler: by themselves they run" ./uses-it
}
both_compilers assembly
equal "the result for scripts" '"complete": true, "complete_for": "what was observed"' \
	"$($run --quiet --json - ./fills | grep -o '"complete": .*"what was observed"')"
check "through a pipe" "$BUILD/mazurka" cc -pipe -g uses-it.c by-hand.S -o piped -pthread
equal "it is the same" "$($run ./uses-it)" "$($run ./piped)"

# ---- libraries ----
cat >latch.c <<'END'
#include <sched.h>
static int closed, calls;
void latch_close(void)
{
	while (__atomic_exchange_n(&closed, 1, __ATOMIC_ACQUIRE)) sched_yield();
}
void latch_open(void)
{
	__atomic_store_n(&closed, 0, __ATOMIC_RELEASE);
}
int pure(int x)
{
	return x + 1;
}
int counts(void)
{
	return ++calls;
}
END
sed '/latch/,/^}/d' latch.c >pure.c
cat >latched.c <<'END'
#include "threads.h"
void latch_close(void), latch_open(void);
static int n;
static void *add(void *unused)
{
	latch_close();
	n++;
	latch_open();
	return unused;
}
int main(void)
{
	two(add);
	assert(n == 2);
	return 0;
}
END
cat >pures.c <<'END'
#include "threads.h"
int pure(int), counts(void);
static void *use(void *unused)
{
	FUNCTION;
	return unused;
}
int main(void)
{
	two(use);
	return 0;
}
END
gcc -g -O2 -shared -fPIC latch.c -o liblatch.so
gcc -g -O2 -shared -fPIC pure.c -o libpure.so
"$BUILD/mazurka" cc -g latched.c -L. -llatch -Wl,-rpath,"$PWD" -o latched -pthread
equal "a library that synchronises by itself is named, once" "1 $part, with switches at synchronization" \
	"$($run --no-races ./latched | grep -c 'liblatch.so is not instrumented and synchronises') $($run --no-races ./latched | sed -n 's/.*, complete/complete/;s/;.*//;$p')"
equal "what it orders is not known: correct code has no data race" "1 0" \
	"$($run ./latched | grep -c 'of its own: data races are not judged$') $($run ./latched | grep -c '^bug' || true)"
for use in "pure(1)" "counts()"; do
	"$BUILD/mazurka" cc -g "-DFUNCTION=$use" pures.c -L. -lpure -Wl,-rpath,"$PWD" -o "pures" -pthread
	named=$($run ./pures | grep -c "libpure.so is not instrumented, and its variables change" || true)
	equal "$use in a library" "$([ "$use" = "pure(1)" ] && echo 0 || echo 1)" "$named"
done
gcc -g -O2 -c latch.c -o latch.o
"$BUILD/mazurka" cc -g latched.c latch.o -o latched -pthread
equal "so is such code in the program itself" "uncontrolled: code latch_close at latch.c:5 is not instrumented and uses atomic instructions" \
	"$($run --no-races ./latched | head -n 1)"
equal "and it orders what nobody sees" "complete for what was observed" "$($run ./latched | sed -n 's/.*, //;$p')"
"$BUILD/mazurka" cc -g latched.c latch.c -o latched -pthread
equal "instrumented, all is seen" "complete" "$($run ./latched | sed -n 's/.*, //;$p')"

# ---- what compilers say about exploration is not the user's business ----
cat >fence.cc <<'END'
#include <atomic>
#include <thread>
#if defined(__SANITIZE_THREAD__)
extern "C" { void __tsan_acquire(void *); void __tsan_mutex_post_unlock(void *, unsigned); }
#endif
static std::atomic<int> ready;
static int value;
int main()
{
#if defined(__SANITIZE_THREAD__)
	__tsan_acquire(&value);
	__tsan_mutex_post_unlock(&value, 0);
#endif
	std::thread other([] { value = 1; std::atomic_thread_fence(std::memory_order_release); ready.store(1, std::memory_order_relaxed); });
	other.join();
	return value != 1;
}
END
check "a build without warnings stays one" "$BUILD/mazurka" c++ -Wall -Wextra -Werror fence.cc -o fence -pthread
check "and what it calls is there" $run ./fence

# ---- who waits where nothing is controlled is named, with the call and the place ----
cat >waits.c <<'END'
#define _GNU_SOURCE
#include "threads.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static void *wait_for_ever(void *unused)
{
	int ends[2], fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	struct timespec time = {1000, 0};
	char byte;
	(void)ends, (void)fd, (void)time, (void)byte;
	WAIT; /* HERE */
	return unused;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, wait_for_ever, 0);
	pthread_join(thread, 0);
	return 0;
}
END
line=$(sed -n '/HERE/=' waits.c)
waits() {
	"$BUILD/mazurka" cc -g "-DWAIT=$1" waits.c -o waits -pthread
	equal "$1" "incomplete: main/1 has been in $2 at waits.c:$line for 0.4 s" "$($run --stall-timeout 0.4 ./waits | sed -n 's/, in execution.*//;/incomplete/p')"
}
waits 'read(fd, &byte, 1)' 'read()'
waits 'recv(fd, &byte, 1, 0)' 'recv()'
waits 'syscall(SYS_nanosleep, &time, 0)' "system call 35"
waits 'mkfifo("fifo", 0600), open("fifo", O_RDONLY)' 'open()'
equal "in the result, too" 1 "$($run --quiet --stall-timeout 0.4 --json - ./waits | grep -c '"reason": "main/1 has been in open() at')"
