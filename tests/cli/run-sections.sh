# SPDX-License-Identifier: MIT
# Atomic sections: what cannot be explored is refused by one line, mz_check() has them too, and by themselves they do nothing.
. "$SOURCE/tests/cli/lib.sh"
run="$BUILD/mazurka run"

cat >sections.c <<'END'
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
static const char *what;
int x, large[20000];
static void *add(void *arg)
{
	mz_atomic_begin();
	int old = x;
	mz_yield();
	if (strcmp(what, "choose") == 0) old += mz_choose(2);
	if (strcmp(what, "large") == 0)
		for (int i = 0; i < 20000; i += 1) large[i] = old + i;
	if (strcmp(what, "large") == 0)
		for (int i = 0; i < 20000; i += 1) large[i] += old;
	if (strcmp(what, "fork") == 0 && fork() == 0) _exit(0);
	x = old + 1;
	mz_atomic_end();
	return arg;
}
static void test(void *arg)
{
	pthread_t threads[2];
	x = 0;
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(!mz_exploring() || x == (arg ? 3 : 2));
}
int main(int argc, char **argv)
{
	what = argc > 1 ? argv[1] : "";
	if (strcmp(what, "check") == 0) return mz_check(test, NULL, &(mz_options){.quiet = 1});
	if (strcmp(what, "wrong") == 0) return mz_check(test, argv, &(mz_options){.quiet = 1});
	test(NULL);
	return 0;
}
END
check "a program with sections builds" "$BUILD/mazurka" cc -g -pthread sections.c -o sections
check "and in C++" "$BUILD/mazurka" c++ -x c++ -fpermissive -w -g -pthread -c sections.c -o sections.o
check "it works by itself" ./sections
equal "two sections that conflict have two orders" "no bug: all 2 executions explored, complete" "$($run ./sections 2>&1)"
equal "with every access a place to switch, too" "no bug: all 2 executions explored, complete" "$($run --points all ./sections 2>&1)"
equal "and in processes of their own" "no bug: all 2 executions explored, complete" "$($run --isolation process ./sections 2>&1)"
equal "a test has sections" 0 "$(./sections check && echo 0)"
equal "and fails" 1 "$(./sections wrong || echo $?)"

choice="it makes a choice inside an atomic section (mz_choose(), a branch on an input, a signal to one of several threads, a call that may fail), which cannot be explored: choose before mz_atomic_begin()"
refused "a choice inside" "mazurka: $PWD/sections cannot be explored: $choice" $run "$PWD/sections" choose
refused "fork inside" "mazurka: $PWD/sections cannot be explored: it calls fork, which is not modelled" $run "$PWD/sections" fork
equal "much memory inside" "no bug: all 2 executions explored, complete" "$($run ./sections large 2>&1)"
