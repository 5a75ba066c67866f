# SPDX-License-Identifier: MIT
# What cannot be built is refused in one line; what only looks like it is not.
. "$SOURCE/tests/cli/lib.sh"

refusals() {
	no_static="mazurka cc: -static cannot work: exploration needs libmazurka.so; leave -static out"
	refused "$compiler: -static" "$no_static" mazurka cc -static hello.c
	refused "$compiler: -static-pie" "$no_static" mazurka cc -static-pie hello.c
	for sanitizer in address memory leak hwaddress; do
		refused "$compiler: -fsanitize=$sanitizer" \
		    "mazurka cc: -fsanitize=$sanitizer cannot be combined with exploration: leave it out" \
		    mazurka cc -fsanitize=undefined,$sanitizer hello.c
	done
	refused "$compiler: -m32" "mazurka cc: only 64-bit programs can be explored; leave -m32 out" mazurka cc -m32 -c hello.c
	check "$compiler: -static when not linking" mazurka cc -static -c hello.c
	check "$compiler: -static-libgcc" mazurka cc -static-libgcc hello.c
	check "$compiler: a sanitizer switched off again" mazurka cc -fsanitize=address -fno-sanitize=address hello.c
	check "$compiler: -fsanitize=undefined" mazurka cc -fsanitize=undefined hello.c -o ubsan
	check "$compiler: beside us" is_for_exploration ubsan
	equal "$compiler: and runs" "hello 1" "$(./ubsan)"
	check "$compiler: the user's own -fsanitize=thread" mazurka cc -fsanitize=thread hello.c -o tsan
	check "$compiler: is ours" is_for_exploration tsan
	equal "$compiler: and runs" "hello 1" "$(./tsan)"
	check "$compiler: -fno-sanitize=thread leaves a file out" mazurka cc -fno-sanitize=thread -c hello.c
	equal "$compiler: without instrumentation" "" "$(instrumentation hello.o)"
}
both_compilers refusals

refused "a compiler that is not there" \
    "mazurka cc: the compiler no-such-gcc was not found; install it, or name another in MAZURKA_CC" \
    env MAZURKA_CC=no-such-gcc mazurka cc hello.c
refused "a compiler that is not there, of unknown kind" \
    "mazurka cc: the compiler nonesuch was not found; install it, or name another in MAZURKA_CC" \
    env MAZURKA_CC=nonesuch mazurka cc hello.c
refused "a C++ compiler that is not there" \
    "mazurka c++: the compiler nonesuch was not found; install it, or name another in MAZURKA_CXX" \
    env MAZURKA_CXX=nonesuch mazurka c++ hello.c
refused "the driver behind the driver" \
    "mazurka cc: MAZURKA_CC names Mazurka itself (mazurka-cc); it is meant to name the compiler behind it" \
    env MAZURKA_CC=mazurka-cc mazurka cc hello.c
