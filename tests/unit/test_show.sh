#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `mazurka show`: what it prints, and how it fails. Arguments: the program, a trace file.
set -u
show=$(realpath "$1")
trace=$(realpath "$2")
failures=0

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# expect STATUS STANDARD-ERROR ARGUMENTS...: runs show and compares both; standard error is one line or none.
expect() {
	status=$1 error=$2
	shift 2
	message=$("$show" "$@" 2>&1 >/dev/null </dev/null)
	got=$?
	[ "$got" -eq "$status" ] || fail "show $*: exit status $got, not $status"
	[ "$message" = "$error" ] || fail "show $*: said '$message', not '$error'"
}

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
head -n 12 "$trace" >cut.trace
sed '1s/1$/3/' "$trace" >later.trace

expect 0 "" "$trace"
expect 0 "" -- "$trace"
expect 0 "" --help
expect 2 "mazurka: show: name one trace file; see mazurka show --help"
expect 2 "mazurka: show: name one trace file; see mazurka show --help" "$trace" "$trace"
expect 2 "mazurka: --color: no such option of show; see mazurka show --help" --color
expect 2 "mazurka: none.trace: No such file or directory" none.trace
expect 2 "mazurka: cut.trace: line 13: the file ends before its \`end\` line" cut.trace
expect 2 "mazurka: later.trace: line 1: the trace is of version 3, this build of Mazurka reads version 1" later.trace
expect 2 "mazurka: -: line 1: not a Mazurka trace" -

"$show" "$trace" >shown || fail "show $trace"
grep -q '^bug: data-race after 3 steps, 1 preemption$' shown || fail "no heading"
grep -q '^     2  main/1             lock       table\[3\].head  dir with space/p.c:14 (worker)$' shown || fail "no step 2"
[ "$(grep -c "$(printf '\033')" shown)" -eq 0 ] || fail "colours in a file"
"$show" "$trace" >/dev/full 2>full && fail "a full disk is not noticed"
grep -q '^mazurka: standard output: No space left on device$' full || fail "a full disk is not explained"
[ "$failures" -eq 0 ]
