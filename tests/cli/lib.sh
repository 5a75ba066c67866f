# SPDX-License-Identifier: MIT
# What the scripts beside this one share. BUILD is the build tree, SOURCE the source tree; the current folder is empty.

# check NAME COMMAND...: the command succeeds.
check() {
	name=$1
	shift
	if "$@" >check.out 2>&1; then
		echo "ok $name"
	else
		echo "not ok $name: $*"
		sed 's/^/  | /' check.out
	fi
}

# equal NAME EXPECTED ACTUAL
equal() {
	if [ "$2" = "$3" ]; then
		echo "ok $1"
	else
		echo "not ok $1"
		printf '%s\n' "$2" | sed 's/^/  expected | /'
		printf '%s\n' "$3" | sed 's/^/  actual   | /'
	fi
}

# refused NAME MESSAGE COMMAND...: exit status 2, nothing on standard output, exactly that line on standard error.
refused() {
	name=$1 message=$2
	shift 2
	status=0
	"$@" >refused.out 2>refused.err || status=$?
	equal "$name" "2||$message" "$status|$(cat refused.out)|$(cat refused.err)"
}

# What a linked file is: does it carry our note, and is our library the first it loads?
carries_note() {
	[ "$(readelf -nW "$1" | grep -c '^ *Mazurka ')" = 1 ]
}
loads_library_first() {
	[ "$(readelf -dW "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | head -n 1)" = libmazurka.so ]
}
is_for_exploration() {
	carries_note "$1" && loads_library_first "$1" && ! readelf -dW "$1" | grep -q 'NEEDED.*tsan'
}

# The instrumentation an object calls: "read4 write4 ...".
instrumentation() {
	nm -u "$1" | sed -n 's/.* __tsan_//p' | sort | tr '\n' ' ' | sed 's/ $//'
}

# both_compilers FUNCTION: once with gcc and once with clang behind the driver; $compiler is its name.
both_compilers() {
	for compiler in gcc clang; do
		export MAZURKA_CC=$compiler
		"$1"
	done
	unset MAZURKA_CC
}

cat >hello.c <<'END'
#include <stdio.h>
int counter;
int main(void)
{
	counter++;
	printf("hello %d\n", counter);
	return 0;
}
END
