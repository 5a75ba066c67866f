# SPDX-License-Identifier: MIT
# Questions are answered as the plain compiler answers them, and the compiler behind the driver can be chosen.
. "$SOURCE/tests/cli/lib.sh"

same() {
	equal "$compiler: $*" "$("$compiler" "$@" 2>&1 || echo "status $?")" "$(mazurka cc "$@" 2>&1 || echo "status $?")"
}
questions() {
	same
	same --version
	same -dumpmachine
	same -dumpversion
	same -print-search-dirs
	same -print-file-name=libc.so
	same -print-prog-name=ld
	same -o nothing
	same -E -dM
	check "$compiler: the linker answers, too" sh -c 'mazurka cc -Wl,--version 2>/dev/null | grep -q "^GNU ld"'
	check "$compiler: -### shows what would be done" mazurka cc '-###' hello.c
	check "$compiler: and does nothing" test ! -e a.out
}
both_compilers questions
equal "gcc: -v" "$(gcc -v 2>&1)" "$(mazurka cc -v 2>&1)"
equal "the default is gcc" "$(gcc --version)" "$(mazurka cc --version)"
equal "and g++" "$(g++ --version)" "$(mazurka c++ --version)"
equal "clang++ belongs to clang" "$(clang++ --version)" "$(MAZURKA_CC=clang mazurka c++ --version)"
equal "MAZURKA_CXX is asked first" "$(g++ --version)" "$(MAZURKA_CC=clang MAZURKA_CXX=g++ mazurka c++ --version)"

# A wrapper whose name says nothing is asked which compiler it is.
mkdir bin
printf '#!/bin/sh\nexec clang "$@"\n' >bin/compiler
printf '#!/bin/sh\nexec "$@"\n' >bin/wrap
chmod +x bin/compiler bin/wrap
PATH=$PWD/bin:$PATH
check "a wrapper around clang" env MAZURKA_CC=compiler mazurka cc hello.c -o wrapped
check "is taken for clang" is_for_exploration wrapped
check "a prefix command" env MAZURKA_CC="wrap clang" mazurka cc hello.c -o prefixed
check "is looked behind" is_for_exploration prefixed
check "cc" env MAZURKA_CC=cc mazurka cc hello.c -o by-cc
check "is asked" is_for_exploration by-cc

mkdir "with space"
cp hello.c "with space/he said \"hi\".c"
check "file names with anything in them" mazurka cc "with space/he said \"hi\".c" -o "with space/out"
equal "arrive whole" "hello 1" "$("with space/out")"
