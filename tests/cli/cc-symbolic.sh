# SPDX-License-Identifier: MIT
# `mazurka cc --symbolic`: stands wherever the compiler does; its programs run by themselves; what it cannot do is refused.
. "$SOURCE/tests/cli/lib.sh"

# The calls of the library that an object or program has for inputs.
shadows() {
	nm "$1" | grep -c ' U __mz_sym_' || true
}

cat >main.c <<'END'
#include "other.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	char text[16];
	strcpy(text, argc > 1 ? argv[1] : "abc7");
	printf("%zu %d %d\n", strlen(text), isdigit(text[3]) != 0, twice(LEVEL + argc));
	return 0;
}
END
echo 'int twice(int x);' >other.h
printf '#include "other.h"\nint twice(int x)\n{\n\treturn 2 * x;\n}\n' >other.c
cat >plus.cc <<'END'
#include <cstdio>
#include <stdexcept>
#include <vector>
static int checked(const std::vector<int> &v, int i)
{
	if (i > 2) throw std::runtime_error("too far");
	return v[i];
}
int main(int argc, char **)
{
	std::vector<int> v = {1, 2, 3};
	try {
		std::printf("%d\n", checked(v, argc));
		checked(v, 7);
	} catch (const std::exception &e) {
		std::printf("%s\n", e.what());
	}
}
END
cat >by-hand.S <<'END'
#define VALUE 40
	.globl twice
twice:	lea VALUE(%rdi,%rdi), %eax
	ret
	.section .note.GNU-stack,"",@progbits
END
sed 's/^#define.*//; s/VALUE/40/' by-hand.S >plain.s

if [ ! -x "$BUILD/mazurka-instrument" ]; then
	refused "a build without LLVM" \
	    "mazurka cc: --symbolic is not in this build of Mazurka: install clang-14 and llvm-14-dev and build it again" \
	    mazurka cc --symbolic main.c
	exit
fi

check "two sources, one command" mazurka cc --symbolic -O2 -DLEVEL=2 main.c other.c -o both
check "is for exploration" is_for_exploration both
equal "runs by itself" "4 1 6" "$(./both)"
check "has shadows" test "$(shadows both)" -gt 5
for level in -O0 -O1 -O3 -Os "-g -Og"; do
	# shellcheck disable=SC2086 # options
	check "$level" mazurka cc --symbolic $level -DLEVEL=2 main.c other.c -o level
	equal "$level: runs" "3 0 8" "$(./level xyz)"
done

check "-c, -o, -MMD" mazurka cc -MMD -c -DLEVEL=1 main.c -o made.o --symbolic
equal "the list of dependencies" "made.o: main.c other.h" "$(cat made.d)"
check "an object has shadows" test "$(shadows made.o)" -gt 5
check "an object without" mazurka cc -c other.c
equal "has none" 0 "$(shadows other.o)"
check "both link together" mazurka cc made.o other.o -o together
equal "and run" "4 1 4" "$(./together)"
check "several objects" mazurka cc --symbolic -c -DLEVEL=1 main.c other.c
check "link with --symbolic" mazurka cc --symbolic main.o other.o -o again
equal "and run, too" "4 1 4" "$(./again)"
echo '-DLEVEL=3 -c main.c' >arguments
check "a response file" mazurka cc --symbolic @arguments -o main.o
check "a shared library" mazurka cc --symbolic -shared -fPIC other.c -o libother.so
check "and its program" mazurka cc --symbolic -DLEVEL=3 main.c ./libother.so -o shared
equal "run" "4 1 8" "$(./shared)"
check "the preprocessor alone" mazurka cc --symbolic -E -DLEVEL=1 main.c -o main.i
check "made text" grep -q 'int twice' main.i
check "which compiles" mazurka cc --symbolic -c main.i -o main.o
check "syntax alone" mazurka cc --symbolic -fsyntax-only -DLEVEL=1 main.c
check "standard input" sh -c 'mazurka cc --symbolic -x c - -c -o stdin.o <other.c'
check "has shadows, too" test "$(shadows stdin.o)" -gt 1
check "MAZURKA_CC=clang" env MAZURKA_CC=clang mazurka cc --symbolic -c other.c
check "mazurka-cc" mazurka-cc --symbolic -c other.c

check "assembly" mazurka cc --symbolic -c by-hand.S
check "is as it was" mazurka cc --symbolic -DLEVEL=1 main.c by-hand.o -o hand
equal "and runs, as well" "4 1 44" "$(./hand)"
check "assembly without a preprocessor" mazurka cc --symbolic -DLEVEL=1 main.c plain.s -o hand
equal "runs" "4 1 44" "$(./hand)"

check "C++" mazurka c++ --symbolic -O2 plus.cc -o plus
equal "runs, exceptions and all" "2
too far" "$(./plus)"

refused "gcc" "mazurka cc: --symbolic needs clang 14: set MAZURKA_CC=clang-14, or leave MAZURKA_CC out" \
    env MAZURKA_CC=gcc mazurka cc --symbolic main.c
refused "-S" "mazurka cc: --symbolic makes objects, not assembly: use -c in place of -S" mazurka cc --symbolic -S main.c
refused "assembly beside C" \
    "mazurka cc: --symbolic cannot compile assembly and other sources in one command: use one for each" \
    mazurka cc --symbolic -DLEVEL=1 main.c by-hand.S
status=0
mazurka cc --symbolic -c -DLEVEL=1 broken.c >out 2>&1 || status=$?
check "a source that is not there" test "$status" != 0

mkdir without
cp "$BUILD/mazurka" without
ln -s "$BUILD/libmazurka.so" "$BUILD/src" without
refused "a build without LLVM" \
    "mazurka cc: --symbolic is not in this build of Mazurka: install clang-14 and llvm-14-dev and build it again" \
    without/mazurka cc --symbolic main.c
check "in which the rest works" without/mazurka cc -c other.c
