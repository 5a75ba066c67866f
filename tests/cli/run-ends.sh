# SPDX-License-Identifier: MIT
# How runs end: internal errors, killed workers and supervisors, full disks, damaged traces. Whatever happens, one clear
# line, the right status, and a result that is there as a whole or not at all.
. "$SOURCE/tests/cli/lib.sh"

mazurka cc -g "$SOURCE/tests/programs/wrong/lost-update.c" -o wrong -pthread
mazurka cc -g "$SOURCE/tests/programs/correct/atomic-counter.c" -o right -pthread
cat >slow.c <<'END_OF_FILE'
#include <pthread.h>
#include <stdatomic.h>
atomic_int x[8];
void *add(void *unused)
{
	for (int i = 0; i < 8; i++) atomic_fetch_add(&x[i], 1);
	return unused;
}
int main(void)
{
	pthread_t threads[5];
	for (int i = 0; i < 5; i++) pthread_create(&threads[i], 0, add, 0);
	for (int i = 0; i < 5; i++) pthread_join(threads[i], 0);
	return 0;
}
END_OF_FILE
mazurka cc -g slow.c -o slow -pthread

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

# ---- internal errors, planted in each process
if nm -D "$BUILD/mazurka" 2>/dev/null | grep -q getenv && strings "$BUILD/mazurka" | grep -q '^MAZURKA_PLANT$'; then
	planted() {
		place=$1
		shift
		rm -rf mazurka-out planted.json
		MAZURKA_PLANT=$place
		export MAZURKA_PLANT
		equal "planted in $place $*: status" 2 "$(status mazurka run --json planted.json "$@" ./wrong)"
		unset MAZURKA_PLANT
		check "planted in $place $*: its place" grep -q 'internal error at .*\.c:[0-9]*: planted' status.err
		check "planted in $place $*: please report" grep -q 'please report' status.err
		check "planted in $place $*: never incomplete" sh -c '! grep -q incomplete: status.out status.err'
		check "planted in $place $*: the schedule" mazurka show mazurka-out/internal-error.trace
	}
	planted worker
	planted worker --isolation process --keep-going
	planted worker --strategy states --jobs 2
	equal "the result says so" "error False" "$(field planted.json 'r["verdict"], r["complete"]' | tr -d "(),'")"
	planted supervisor
	planted replay
	planted replayed-step --keep-going
	MAZURKA_PLANT=replay
	export MAZURKA_PLANT
	equal "planted in mazurka replay" 2 "$(status mazurka replay mazurka-out/internal-error.trace)"
	unset MAZURKA_PLANT
	check "is said there" grep -q 'please report' status.err
fi
rm -rf mazurka-out

# ---- killed from outside, or told to stop
python3 - "$PWD" >ends.out <<'END_OF_FILE'
import glob, json, os, signal, subprocess, sys, time
def workers(pid):
    return [int(p) for p in open(f"/proc/{pid}/task/{pid}/children").read().split()]
def end(name, number, to_worker, options=()):
    if os.path.exists("killed.json"): os.remove("killed.json")
    run = subprocess.Popen(["mazurka", "run", "--json", "killed.json", *options, "./slow"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    while not workers(run.pid): time.sleep(0.01)
    time.sleep(0.3)
    os.kill(workers(run.pid)[0] if to_worker else run.pid, number)
    output = run.communicate(timeout=60)[0].decode()
    result = json.load(open("killed.json"))
    good = run.returncode == 3 and not result["complete"] and result["verdict"] == "incomplete" and result["reason"] in output
    print(("ok" if good else "not ok"), name, "" if good else (run.returncode, output, result["reason"]))
for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT):
    end(f"a worker gets {number.name}", number, True)
end("a worker of processes gets SIGSEGV", signal.SIGSEGV, True, ["--isolation", "process"])
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    end(f"the supervisor gets {number.name}", number, False)
print("not ok" if glob.glob("killed.json.*") else "ok", "nothing is left beside the result")
END_OF_FILE
cat ends.out

# ---- what cannot be written
equal "a bug stays one where its result cannot be written" 1 "$(status mazurka run --json /dev/full ./wrong)"
equal "no room for anything" 2 "$(status sh -c 'ulimit -f 0; exec mazurka run ./wrong')"
mkdir -p small
if mount -t tmpfs -o size=4k none small 2>/dev/null; then
	head -c 4096 /dev/zero >small/filler
	equal "a full disk, a bug: its status" 1 "$(status mazurka run --out small/out --json full.json ./wrong)"
	equal "one line says what" 1 "$(grep -c 'No space left' status.err)"
	equal "and the result is there" bug "$(field full.json 'r["verdict"]')"
	check "nothing is left of the trace" sh -c '! ls small/out/*.trace*'
	equal "a full disk, no bug" 2 "$(status mazurka run --json small/full.json ./right)"
	equal "one line" "mazurka: cannot write 'small/full.json': No space left on device" "$(cat status.err)"
	check "no part of a result" sh -c '! ls small/full.json*'
	umount small
fi
equal "standard output is full: a bug's status" 1 "$(code=0; mazurka run --json full.json ./wrong >/dev/full 2>full.err || code=$?; echo $code)"
equal "and the result is there" bug "$(field full.json 'r["verdict"]')"
equal "standard output is full" 2 "$(code=0; mazurka run ./right >/dev/full 2>full.err || code=$?; echo $code)"
equal "one line" "mazurka: cannot write the result: No space left on device" "$(cat full.err)"
equal "nobody listens" 0 "$(mazurka run --json piped.json ./right | true; field piped.json 'int(not r["complete"])')"
equal "no standard streams" 1 "$(code=0; mazurka run --json closed.json ./wrong <&- >&- 2>&- || code=$?; echo $code)"
equal "and the result is whole" bug "$(field closed.json 'r["verdict"]')"
echo old >kept.json
equal "a result replaces an old one" "0 pass" "$(status mazurka run --json kept.json ./right) $(field kept.json 'r["verdict"]')"
ln -s kept.json link.json
equal "through a link" "1 bug" "$(status mazurka run --json link.json ./wrong) $(field kept.json 'r["verdict"]')"
check "which stays one" test -L link.json

# ---- damaged traces
mazurka run --quiet ./wrong || :
sed 's/^identity .*/identity -/' mazurka-out/bug-1.trace >unknown.trace
refused "no identity" "mazurka: unknown.trace does not say which build of '$PWD/wrong' it was recorded with: run it again to get a new trace" \
    mazurka replay unknown.trace
sed 's/^thread 0 2 /thread 0 4294967295 /' mazurka-out/bug-1.trace >many.trace
refused "a child of that number" "mazurka: many.trace has more threads than can be replayed" mazurka replay many.trace
sed 's/^max-steps .*/max-steps 4294967295/' mazurka-out/bug-1.trace >long.trace
refused "so many steps" "mazurka: long.trace has a limit of more steps than can be replayed" mazurka replay long.trace
mutate="$BUILD/tests/unit/mutate_trace"
if [ -x "$mutate" ]; then
	mkdir damaged
	check "damaged traces are made" "$mutate" 3000 3 damaged 40 mazurka-out/bug-1.trace
	python3 - >damaged.out <<'END_OF_FILE'
import glob, resource, subprocess
bad = []
for path in sorted(glob.glob("damaged/*.trace")):
    for command in ("show", "replay"):
        try:
            done = subprocess.run(["mazurka", command, path], stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
            if done.returncode not in (0, 1, 2): bad.append((path, command, done.returncode))
        except subprocess.TimeoutExpired:
            bad.append((path, command, "no end"))
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print("not ok" if bad or memory > 100000 else "ok", "they are shown and replayed", bad or "", "" if memory <= 100000 else memory)
END_OF_FILE
	cat damaged.out
fi
