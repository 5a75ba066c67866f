# SPDX-License-Identifier: MIT
# Each way to stop a compiler on its way from source to program, and each level of optimisation.
. "$SOURCE/tests/cli/lib.sh"

cat >part.c <<'END'
extern int counter;
int add(void)
{
	return counter++;
}
END
cat >two.c <<'END'
int counter;
int add(void);
int main(void)
{
	return add() + add() == 1 && counter == 2 ? 0 : 1;
}
END

steps() {
	rm -f ./*.o a.out
	check "$compiler: compiles and links" mazurka cc hello.c
	equal "$compiler: the program runs by itself" "hello 1" "$(./a.out)"
	check "$compiler: it is for exploration" is_for_exploration a.out
	check "$compiler: and bound at its start" sh -c 'readelf -dW a.out | grep -q "FLAGS.*NOW"'
	check "$compiler: mazurka-cc is the same driver" mazurka-cc hello.c -o hello
	check "$compiler: -o is obeyed" is_for_exploration hello

	check "$compiler: compiles several files" mazurka cc -O1 -c part.c two.c
	equal "$compiler: accesses are instrumented" "func_entry func_exit init read4 write4" "$(instrumentation part.o)"
	check "$compiler: links objects" mazurka cc part.o two.o -o two
	check "$compiler: links a program for exploration" is_for_exploration two
	check "$compiler: that runs" ./two
	check "$compiler: mixes sources and objects" mazurka cc part.o two.c -o mixed
	check "$compiler: that run together" ./mixed

	for level in 0 1 2 3 s g; do
		rm -f part.o
		check "$compiler: compiles with -O$level" mazurka cc -O$level -c part.c
		equal "$compiler: instruments with -O$level" "func_entry func_exit init read4 write4" "$(instrumentation part.o)"
	done

	check "$compiler: -S" mazurka cc -S part.c -o part.s
	check "$compiler: -S wrote assembly" grep -q __tsan_write4 part.s
	check "$compiler: assembles and links it" mazurka cc part.s two.c -o fromasm
	check "$compiler: which runs" ./fromasm
	equal "$compiler: -E" 1 "$(echo '__MAZURKA__' | mazurka cc -E -P -xc -)"
	equal "$compiler: -MM" "part.o: part.c" "$(mazurka cc -MM part.c)"
	check "$compiler: -fsyntax-only" mazurka cc -fsyntax-only part.c
	check "$compiler: -r" mazurka cc -r -nostdlib part.c -o relocatable.o
	equal "$compiler: -r adds no note" 0 "$(readelf -nW relocatable.o | grep -c Mazurka || :)"
	check "$compiler: source from standard input" sh -c 'mazurka cc -x c - -o fromstdin <hello.c'
	equal "$compiler: which runs" "hello 1" "$(./fromstdin)"
	echo 'int from_header;' >head.h
	check "$compiler: precompiles a header" mazurka cc -x c-header head.h -o head.pch
	check "$compiler: -Werror finds nothing of ours to warn of" mazurka cc -Werror -Wall -Wextra hello.c
	check "$compiler: nor when only linking" mazurka cc -Werror part.o two.o
	equal "$compiler: the compiler's status is ours" 1 "$(status=0; mazurka cc missing.c 2>/dev/null || status=$?; echo $status)"
	check "$compiler: -fPIC" mazurka cc -fPIC -c part.c
	check "$compiler: -no-pie" mazurka cc -no-pie hello.c -o nopie
	equal "$compiler: which runs" "hello 1" "$(./nopie)"
}
both_compilers steps

cat >kinds.c <<'END'
#include <stdatomic.h>
void volatiles(volatile int *x)
{
	*x = 1;
}
void atomics(atomic_int *x)
{
	atomic_fetch_add_explicit(x, 1, memory_order_relaxed);
}
END
kinds() {
	mazurka cc -O2 -c kinds.c
	equal "$compiler: volatile and atomic accesses are told apart" "atomic32_fetch_add func_entry func_exit init volatile_write4" \
	    "$(instrumentation kinds.o)"
}
both_compilers kinds

debug_info() {
	mazurka cc -c hello.c "$@" -o debug.o
	readelf -SW debug.o | grep -q ' \.debug_info ' && echo yes || echo no
}
debug() {
	equal "$compiler: source lines are there by default" yes "$(debug_info)"
	equal "$compiler: -g0 has the last word" no "$(debug_info -g0)"
	equal "$compiler: -g1" yes "$(debug_info -g1)"
}
both_compilers debug

# The checked variants of memcpy and its like would not be seen.
cat >copies.c <<'END'
#include <string.h>
char buffer[16];
void copy(const char *from, size_t size)
{
	memcpy(buffer, from, size);
	strcpy(buffer, from);
	__builtin_memset(buffer, 0, size);
}
END
copies() {
	for option in -O2 "-O2 -D_FORTIFY_SOURCE=2" "-O2 -Wp,-D_FORTIFY_SOURCE=2" -O0; do
		mazurka cc $option -c copies.c
		equal "$compiler: functions on memory are called by their names with $option" "memcpy memset strcpy" \
		    "$(nm -u copies.o | sed -n 's/.* \(mem\|str\|__mem\|__str\)/\1/p' | sort | tr '\n' ' ' | sed 's/ $//')"
	done
}
both_compilers copies
