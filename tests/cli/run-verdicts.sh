# SPDX-License-Identifier: MIT
# mazurka run, replay and show: exit status, JSON, what is written and where.
. "$SOURCE/tests/cli/lib.sh"

programs=$SOURCE/tests/programs
mazurka cc "$programs/correct/atomic-counter.c" -o right
mazurka cc "$programs/wrong/lost-update.c" -o wrong
mazurka cc "$programs/wrong/two-bugs.c" -o two
gcc hello.c -o plain

# status COMMAND...: its exit status.
status() {
	code=0
	"$@" >status.out 2>status.err || code=$?
	echo $code
}
# field FILE EXPRESSION: of the JSON in FILE, r.
field() {
	python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

equal "no bug: 0" 0 "$(status mazurka run ./right)"
check "no bug: nothing is written" test ! -e mazurka-out
equal "a bug: 1" 1 "$(status mazurka run ./wrong)"
check "a bug: a trace is written" test -s mazurka-out/bug-1.trace
equal "a limit: 3" 3 "$(status mazurka run --max-executions 2 ./right)"
equal "a limit that is not reached: 0" 0 "$(status mazurka run --max-executions 1000 ./right)"
equal "quiet" "" "$(mazurka run --quiet ./right 2>&1)"
equal "quiet about a bug" "" "$(mazurka run --quiet ./wrong 2>&1 || :)"

equal "JSON of a pass" 0 "$(status mazurka run --count-traces --json pass.json ./right)"
equal "verdict" pass "$(field pass.json 'r["verdict"]')"
equal "counts" "True 6 0 6 []" \
    "$(field pass.json '" ".join(map(str, (r["complete"], r["executions"], r["redundant"], r["traces"], r["bugs"])))')"
equal "program" "['./right']" "$(field pass.json 'r["program"]')"
equal "strategy, points, model" "optimal sync sc" "$(field pass.json '" ".join((r["strategy"], r["points"], r["memory_model"]))')"
equal "JSON of a bug" 1 "$(status mazurka run --json bug.json --out found ./wrong)"
equal "verdict" "bug 1" "$(field bug.json 'r["verdict"] + " " + str(len(r["bugs"]))')"
equal "kind, place, thread" "assertion lost-update.c:28 main" \
    "$(field bug.json '" ".join((r["bugs"][0]["kind"], r["bugs"][0]["location"].split("/")[-1], r["bugs"][0]["thread"]))')"
equal "why it went no further" "stopped at the first bug" "$(field bug.json 'r["reason"]')"
check "in words, too" grep -q "1 bug found in .*, incomplete: stopped at the first bug" status.out
equal "the trace" found/bug-1.trace "$(field bug.json 'r["bugs"][0]["trace"]')"
check "is there" test -s found/bug-1.trace
equal "JSON of a limit" 3 "$(status mazurka run --max-executions 2 --json limit.json ./right)"
equal "why it is not complete" "the limit on executions was reached" "$(field limit.json 'r["reason"]')"
equal "verdict" "incomplete False 2" "$(field limit.json 'r["verdict"], r["complete"], r["executions"]' | tr -d "(),'")"
equal "the first of two bugs" "1 1" "$(status mazurka run --json one.json ./two) $(field one.json 'len(r["bugs"])')"
equal "all of two bugs" "1 2" "$(status mazurka run --keep-going --json all.json ./two) $(field all.json 'len(r["bugs"])')"
check "each has its trace" test -s mazurka-out/bug-1.trace -a -s mazurka-out/bug-2.trace

# the same again
equal "replay shows the bug again" 1 "$(status mazurka replay found/bug-1.trace)"
check "and says which" grep -q assertion status.out
equal "replay from another folder" 1 "$(mkdir -p elsewhere && cd elsewhere && status mazurka replay ../found/bug-1.trace -- ../wrong)"
equal "show prints it" 0 "$(status mazurka show found/bug-1.trace)"
check "with its steps" grep -q 'main/1' status.out
first=$(mazurka run --out a ./wrong 2>&1 | grep -v trace || :)
second=$(mazurka run --out b ./wrong 2>&1 | grep -v trace || :)
equal "two runs say the same" "$first" "$second"
check "and leave the same trace" cmp a/bug-1.trace b/bug-1.trace
mazurka cc -O2 -DOTHER "$programs/wrong/lost-update.c" -o wrong
refused "replay of another build" \
    "mazurka: found/bug-1.trace was recorded with another build of './wrong': run it again to get a new trace" \
    mazurka replay found/bug-1.trace -- ./wrong
check "replay leaves no doubt about garbage" sh -c 'echo garbage >g.trace; ! mazurka replay g.trace 2>/dev/null'

# what cannot be run
refused "no command" "mazurka: no command given (see mazurka help)" mazurka
refused "an unknown command" "mazurka: there is no command 'dance' (see mazurka help)" mazurka dance
refused "an unknown option" "mazurka: unknown option '--nonsense' (see mazurka run --help)" mazurka run --nonsense ./right
refused "a bad number" "mazurka: --max-executions takes a whole number of at least 1, not 'many'" \
    mazurka run --max-executions many ./right
refused "a missing value" "mazurka: --json needs a value: FILE" mazurka run --json
refused "no such program" "mazurka: ./nonexistent: No such file or directory" mazurka run ./nonexistent
refused "not in PATH" "mazurka: right is not in PATH; to run the one in this folder write ./right" mazurka run right
refused "a plain program" "mazurka: ./plain was not built for exploration; build it with: mazurka cc -g -o plain ..." \
    mazurka run ./plain
printf '#!/bin/sh\n' >script
chmod +x script
refused "a script" "mazurka: ./script is a script: a program built with \`mazurka cc\` is needed" mazurka run ./script
refused "a folder" "mazurka: ./found is a directory, not a program" mazurka run ./found
check "a strategy that is not there is refused" sh -c 'mazurka run --strategy nonsense ./right 2>err; test $? = 2 && grep -q optimal err'
check "a result that cannot be written" sh -c 'mazurka run --json /nonexistent/x.json ./right 2>err; test $? = 2 -a -s err'

for command in "" cc c++ run replay show; do
	check "help $command" mazurka help $command
done
equal "version" "mazurka 0.1.0" "$(mazurka --version)"

# ---- more bugs than are kept: the verdict says so, and is not complete ----
{
	echo '#include <pthread.h>'
	echo 'int cells[260];'
	echo 'static void *fill(void *arg) {'
	for i in $(seq 0 259); do echo "cells[$i] = 1;"; done
	echo 'return arg; }'
	echo 'int main(void) { pthread_t a, b; pthread_create(&a, 0, fill, 0); pthread_create(&b, 0, fill, 0);'
	echo 'pthread_join(a, 0); pthread_join(b, 0); return 0; }'
} >cells.c
"$BUILD/mazurka" cc -g cells.c -o cells -pthread
why="there were more than 256 distinct bugs, and the others were not kept"
status=0
"$BUILD/mazurka" run --keep-going --json cells.json ./cells >cells.text || status=$?
equal "more bugs than are kept" "1|256 bugs found in 1 execution, incomplete: $why" \
	"$status|$(grep '^256 bugs found' cells.text)"
equal "in JSON too" "bug False $why" "$(python3 -c 'import json
result = json.load(open("cells.json"))
print(result["verdict"], result["complete"], result["reason"])')"
