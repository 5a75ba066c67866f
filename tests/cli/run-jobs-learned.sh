# SPDX-License-Identifier: MIT
# Several processes that explore a program of which something is known only once an execution has shown it: what its
# invariants read, and which libraries it loads. All begin anew when one has found it out, and end as one process does.
. "$SOURCE/tests/cli/lib.sh"

# compare WHAT PROGRAM...: one process, several, and one that keeps its work and goes on.
compare() {
	what=$1
	shift
	one=$(explored --keep-going "$@")
	for jobs in 2 3 8; do
		equal "$what: $jobs processes" "$one" "$(explored --keep-going --jobs $jobs "$@")"
	done
	explored --keep-going --resume kept --max-executions 300 "$@" >first
	equal "$what: a run that was stopped early" "3 incomplete False" "$(cut -d ' ' -f 1-3 first)"
	equal "$what: the same run goes on" "$one" "$(explored --keep-going --resume kept --jobs 2 "$@")"
	equal "$what: after its end" "$one" "$(explored --keep-going --resume kept "$@")"
	rm -rf kept
}

# ---- invariants ----
# What the invariant reads depends on what it has read: a word for each value of `level`.
cat >invariant.c <<'C'
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static struct {
	_Alignas(8) atomic_int value;
} words[8], apart[4], level;
static int most = 1000;
static int holds(void *unused)
{
	(void)unused;
	int at = atomic_load(&level.value);
	return atomic_load(&words[at].value) + atomic_load(&words[(at + 3) % 8].value) < most;
}
static void *work(void *arg)
{
	long n = (long)arg;
	atomic_fetch_add(&level.value, 1);
	atomic_store(&words[n].value, 1);
	atomic_store(&apart[n].value, 1);
	atomic_store(&words[n + 3].value, 1);
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t threads[4];
	int n = argc > 1 ? atoi(argv[1]) : 3;
	if (argc > 2) most = atoi(argv[2]);
	mz_invariant(holds, NULL);
	for (long i = 0; i < n; i++) pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
mazurka cc -O1 invariant.c -o invariant -pthread
# three threads of three writes each that are read: 9! / (3! 3! 3!) orders
equal "all orders of what an invariant reads" "0 pass True 1680 1680 0 0" "$(explored ./invariant)"
compare "invariants" ./invariant
# four threads: 12! / (3! 3! 3! 3!)
equal "invariants: processes that are killed" "0 pass True 369600 369600 0 0" "$(killed ./invariant 4)"
equal "source" "$(explored --strategy source ./invariant)" "$(explored --strategy source --jobs 3 ./invariant)"
equal "an invariant that does not hold" "1 bug 1" "$(explored --jobs 3 ./invariant 3 2 | cut -d ' ' -f 1,2,7)"
equal "in all executions" "$(explored --keep-going ./invariant 3 2)" "$(explored --keep-going --jobs 3 ./invariant 3 2)"

# Plain writes are no operations: all operations of a thread that makes some to what is read count.
cat >plain.c <<'C'
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int other[3];
static int seen[3];
static int holds(void *unused)
{
	(void)unused;
	return seen[0] + seen[1] + seen[2] >= 0;
}
static void *work(void *arg)
{
	long n = (long)arg;
	for (int i = 0; i < 2; i++) atomic_store(&other[n], i);
	if (n) seen[n] = 1;
	atomic_store(&other[n], 2);
	return NULL;
}
int main(void)
{
	pthread_t threads[3];
	mz_invariant(holds, NULL);
	for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
mazurka cc -O1 plain.c -o plain -pthread
# two threads of three steps each; the third, which writes nothing that is read, is independent of them
for how in "" "--jobs 2" "--jobs 8" "--resume kept-plain"; do
	equal "threads that write what is read by plain writes $how" "0 pass True 20 20 0 0" "$(explored $how ./plain)"
done

# An invariant that reads more words than are kept apart: every write counts.
cat >much.c <<'C'
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_long words[20000];
static atomic_int other[2];
static int holds(void *unused)
{
	(void)unused;
	long sum = 0;
	for (int i = 0; i < READ; i++) sum += atomic_load(&words[i]);
	return sum == 0;
}
static void *work(void *arg)
{
	atomic_store(&other[(long)arg], 1);
	return NULL;
}
int main(void)
{
	pthread_t threads[2];
	mz_invariant(holds, NULL);
	for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
mazurka cc -O1 -DREAD=16383 much.c -o many -pthread
mazurka cc -O1 -DREAD=20000 much.c -o more -pthread
for how in "" "--jobs 2"; do
	equal "many words are read $how" "0 pass True 1 1 0 0" "$(explored $how ./many)"
	equal "too many words to be told apart $how" "0 pass True 2 2 0 0" "$(explored $how ./more)"
done

# ---- libraries ----
cat >library.c <<'C'
#include <stdatomic.h>
static atomic_int first, second;
static int plain = NUMBER;
__attribute__((constructor)) static void up(void)
{
	plain++;
}
int count(void)
{
	atomic_fetch_add(&first, 1);
	return atomic_fetch_add(&second, 1) + plain;
}
C
# Which libraries are loaded, and in which order, depends on the execution.
cat >loads.c <<'C'
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static atomic_int turn;
static void *work(void *arg)
{
	char name[32];
	int mine = (atomic_fetch_add(&turn, 1) + (int)(long)arg) % 3;
	snprintf(name, sizeof name, "./library%d.so", mine);
	void *library = dlopen(name, RTLD_NOW);
	assert(library);
	int got = ((int (*)(void))dlsym(library, "count"))();
	assert(got > mine && got <= mine + 4);
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t threads[4];
	int n = argc > 1 ? atoi(argv[1]) : 3;
	for (long i = 0; i < n; i++) pthread_create(&threads[i], NULL, work, (void *)(i * 2));
	for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
for n in 0 1 2; do mazurka cc -O1 -DNUMBER=$n -fPIC -shared library.c -o library$n.so; done
mazurka cc -O1 loads.c -o loads -pthread
compare "libraries" ./loads
equal "libraries: processes that are killed" "$(explored ./loads 4)" "$(killed ./loads 4)"
equal "source" "$(explored --strategy source --count-traces ./loads | cut -d ' ' -f 1-3,5)" \
	"$(explored --strategy source --count-traces --jobs 3 ./loads | cut -d ' ' -f 1-3,5)"

# A library that has changed is refused by a run that goes on.
explored --resume changed --max-executions 100 ./loads >first
mazurka cc -O0 -DNUMBER=1 -fPIC -shared library.c -o library1.so
refused "a library that has changed" \
	"mazurka: $PWD/loads cannot be explored: a library that it loads while it runs is not the same, or not at the same address, in all processes" \
	mazurka run --resume changed ./loads
