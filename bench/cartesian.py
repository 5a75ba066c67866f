# SPDX-License-Identifier: MIT
"""Table 1 of Gueta, Flanagan, Yahav, Sagiv, "Cartesian Partial-Order Reduction" (SPIN 2007), for bench/papers: standard
exploration (`--strategy states`) against `cartesian`, at the paper's granularity (scripts, run by bench_cartesian) and
natively; and SPIN on Promela versions of some of the programs."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

from markdown import table

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 60  # for each run; larger programs of a kind are left out once one has taken longer
SPIN_MEGABYTES = 1024


class Row:
    """One line of the table. Published are (states, transitions, ms) and (states, transitions, ms, ms by 4 processors); None
    where it ran out of memory."""

    def __init__(self, kind, sizes, native, points, standard, cartesian):
        self.kind, self.sizes, self.native, self.options = kind, sizes, native, ["--points", *points.split()]
        self.standard, self.cartesian = standard, cartesian

    def name(self):
        return f"{self.kind} ({', '.join(map(str, self.sizes))})" if self.sizes else self.kind

    def script(self):
        """What bench_cartesian calls it."""
        return [MODELS.get(self.kind, self.kind.lower().replace(" ", "-")), *map(str, self.sizes)]

    def program(self):
        return " ".join([self.native, *map(str, self.sizes)])


def sized(kind, native, points, published):
    """Rows that differ in the number of threads."""
    return [Row(kind, (threads,), native, points, standard, cartesian)
            for threads, (standard, cartesian) in published.items()]


ROWS = [
    Row("SharedPtr", (), "papers/shared-ptr", "sync", (32131, 64262, 266), (418, 12785, 47, 32)),
    Row("SharedArray", (), "papers/shared-array", "sync", (2276, 4552, 16), (132, 1648, 0, 0)),
    *sized("Robots", "papers/robots", "sync", {
        2: ((4877, 9754, 109), (56, 2635, 15, 15)),
        3: ((326759, 980277, 1206422), (56, 6387, 62, 31))}),
    *sized("File System", "filesystem", "all", {
        2: ((81, 144, 0), (1, 16, 0, 0)),
        3: ((729, 1944, 16), (1, 24, 0, 0)),
        4: ((6561, 23328, 437), (1, 32, 0, 0)),
        5: ((59049, 262440, 24047), (1, 40, 0, 0)),
        6: ((531441, 2834352, 2567703), (1, 48, 0, 0)),
        **{threads: (None, (1, 8 * threads, 0, 0)) for threads in range(7, 14)},
        14: (None, (10, 1026, 62, 32)),
        15: (None, (100, 10120, 563, 203)),
        16: (None, (1000, 99800, 5968, 2078)),
        17: (None, (10000, 984000, 64204, 23000))}),
    *sized("Indexer", "indexer", "sync", {
        2: ((25, 40, 0), (1, 8, 0, 0)),
        3: ((125, 300, 0), (1, 12, 0, 0)),
        4: ((625, 2000, 0), (1, 16, 0, 0)),
        5: ((3125, 12500, 47), (1, 20, 0, 0)),
        6: ((15625, 75000, 641), (1, 24, 0, 0)),
        7: ((78125, 437500, 15297), (1, 28, 0, 0)),
        8: ((390625, 2500000, 494687), (1, 32, 0, 0)),
        **{threads: (None, (1, 4 * threads, 0, 0)) for threads in range(9, 12)},
        12: (None, (9, 394, 16, 16)),
        13: (None, (81, 3528, 187, 79)),
        14: (None, (729, 31590, 1813, 625)),
        15: (None, (6561, 282852, 17172, 6250)),
        16: (None, (59049, 2532546, 191421, 82859))}),
    *sized("Philosophers", "papers/philosophers", "sync", {
        2: ((11, 22, 0), (9, 28, 0, 0)),
        3: ((36, 108, 0), (27, 174, 0, 0)),
        4: ((119, 476, 0), (94, 750, 0, 0)),
        5: ((393, 1965, 16), (295, 2984, 31, 31)),
        6: ((1298, 7788, 172), (942, 11233, 187, 156)),
        7: ((4287, 30009, 1766), (2955, 41091, 1187, 969)),
        8: ((14159, 113272, 29594), (9212, 145717, 11609, 11141)),
        9: ((46764, 420876, 383219), (28675, 509218, 132078, 138703))}),
    *[Row("CMIS", sizes, "papers/cmis", "sync", standard, cartesian) for sizes, standard, cartesian in (
        ((2, 8), (16430, 115010, 813), (51, 1627, 32, 15)),
        ((4, 16), (1014131, 7098917, 10294344), (51, 3091, 47, 31)),
        ((8, 32), None, (51, 8035, 156, 62)),
        ((16, 64), None, (51, 25987, 735, 281)),
        ((32, 128), None, (51, 94147, 4875, 1719)),
        ((64, 256), None, (51, 359491, 36531, 17672)),
        ((128, 256), None, (6, 100336, 12141, 12250)),
        ((127, 255), None, (11, 221954, 27860, 27328)))],
]
TO_THE_STATE = ("SharedPtr", "SharedArray", "Robots", "File System", "Indexer")  # cut into transitions as theirs, beyond doubt
MODELS = {"Philosophers": "ordered-philosophers"}  # what is published can only be these
TWICE = ("File System",)  # as many states as published if idle steps come twice
# programs with threads that wait, for the table of readings: (model, kind, sizes)
READINGS = [*(("file-system", "File System", (n,)) for n in (14, 15, 16)),
            *(("philosophers", "Philosophers", (n,)) for n in range(2, 7)),
            *(("ordered-philosophers", "Philosophers", (n,)) for n in range(2, 7)),
            *(("cmis", "CMIS", sizes) for sizes in ((2, 8), (128, 256), (127, 255)))]
DEADLOCKS = ("Philosophers",)
SPIN_NATIVE = ("Robots", "Philosophers")  # as many states natively as in Promela

# Acyclic programs, and what is said of the transitions that the algorithm of Flanagan and Godefroid needs
DYNAMIC = {("SharedArray", ()): "> 10000000", ("File System", (14,)): "fewer", ("File System", (15,)): "fewer",
           ("Indexer", (12,)): "", ("Indexer", (13,)): ""}
DYNAMIC_STRATEGIES = ("dpor --no-sleep", "dpor", "dpor-cr", "optimal", "cartesian")
MOST_TRANSITIONS, MOST_EXECUTIONS = 10**7, 1600000

# Programs with a Promela version, and their sizes
SPIN = {"SharedPtr": ((),), "SharedArray": ((),), "Robots": ((2,), (3,)), "File System": [(n,) for n in range(2, 7)],
        "Indexer": [(n,) for n in (*range(2, 9), 12)], "Philosophers": [(n,) for n in range(2, 10)], "CMIS": ((2, 8), (4, 16))}


def scripted(bench, row, *options):
    """A run at the paper's granularity: states, steps, seconds; None if it takes too long, or too much memory."""
    try:
        done = subprocess.run([bench.scripts, *options, *row.script()], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode and "no memory" not in done.stderr:
        sys.exit(done.stderr)
    return json.loads(done.stdout) if done.stdout else None


def native(bench, row, strategy, *options):
    result = bench.run(row.program(), strategy, *row.options, *options, "--timeout", str(SECONDS))
    kinds = sorted({bug["kind"] for bug in result["bugs"]})
    if not result["complete"]:
        return None
    bench.check(f"{row.program()} --strategy {' '.join([strategy, *options])}",
                ("findings", kinds, ["deadlock"] if row.kind in DEADLOCKS else []))
    return result


class Runs:
    """Runs what a kind of programs has not been too large for yet."""

    def __init__(self):
        self.too_large = set()

    def result(self, label, row, run):
        if (label, row.kind) in self.too_large:
            return None
        result = run()
        if result is None:
            self.too_large.add((label, row.kind))
        return result


def saved(standard, cartesian):
    return f"{100 - 100 * cartesian / standard:.1f}" if standard else ""


def time_saved(before, after):
    return saved(before["seconds"], after["seconds"]) if before and after else ""


def milliseconds(result):
    return f"{1000 * result['seconds']:.1f}".removesuffix(".0") if result else ""


def cells(result):
    return (result["states"], result["steps"], milliseconds(result)) if result else ("", "", "")


def line(name, who, standard, cartesian, parallel):
    both = standard and cartesian
    return (name, who, *cells(standard), *cells(cartesian), milliseconds(parallel),
            saved(standard["states"], cartesian["states"]) if both else "",
            saved(standard["steps"], cartesian["steps"]) if both else "",
            time_saved(standard, cartesian), time_saved(cartesian, parallel))


def published(figures):
    return figures and {"states": figures[0], "steps": figures[1], "seconds": figures[2] / 1000}


def check_granularity(bench, row, standard, cartesian):
    """What the paper says of a program must be had again, at its granularity."""
    facts = [("end within the time", cartesian is not None, True)]
    if cartesian and row.kind in TO_THE_STATE:
        as_published = scripted(bench, row, "--twice", "cartesian") if row.kind in TWICE else cartesian
        facts.append(("states", as_published["states"], row.cartesian[0]))
    if cartesian and row.kind in TO_THE_STATE:
        facts.append((f"at most {row.cartesian[1]} transitions", cartesian["steps"] <= row.cartesian[1], True))
    if standard and row.standard and row.kind in TO_THE_STATE:
        facts += [("all states", standard["states"], row.standard[0]), ("all transitions", standard["steps"], row.standard[1])]
    if row.script() == ["robots", "3"]:
        facts.append(("99 % saved", bool(standard and cartesian and cartesian["steps"] <= standard["steps"] / 100), True))
    bench.check(f"{row.name()} at the paper's granularity", *facts)


def check_reduction(bench, row, literal, reduced):
    """Ours are no more than theirs."""
    facts = [("end within the time", reduced is not None, True)]
    if reduced:
        facts.append((f"at most {row.cartesian[1]} transitions", reduced["steps"] <= row.cartesian[1], True))
    if literal and reduced:
        facts += [("no more states", reduced["states"] <= literal["states"], True),
                  ("no more transitions", reduced["steps"] <= literal["steps"], True)]
    bench.check(f"{row.name()} with our vectors", *facts)


def check_native(bench, row, standard, cartesian, parallel):
    facts = [("end within the time", cartesian is not None, True)]
    if standard and cartesian:
        facts.append(("no more states than there are", cartesian["states"] <= standard["states"], True))
    if cartesian and parallel:
        facts.append(("states of two workers", parallel["states"], cartesian["states"]))
    bench.check(f"{row.name()} natively", *facts)


def table_1(bench):
    """Four lines for each program: theirs; at their granularity with vectors as theirs, and with ours; natively."""
    runs, rows = Runs(), []
    for row in ROWS:
        rows.append(line(row.name(), "published", published(row.standard), published(row.cartesian),
                         published((0, 0, row.cartesian[3]))))
        standard = runs.result("scripted states", row, lambda: scripted(bench, row, "states"))
        literal = runs.result("scripted as published", row, lambda: scripted(bench, row, "cartesian"))
        reduced = runs.result("scripted", row, lambda: scripted(bench, row, "--ours", "cartesian"))
        check_granularity(bench, row, standard, literal)
        check_reduction(bench, row, literal, reduced)
        rows.append(line("", "to the letter", standard, literal, None))
        rows.append(line("", "scripted", standard, reduced, None))
        standard = runs.result("states", row, lambda: native(bench, row, "states"))
        reduced = runs.result("cartesian", row, lambda: native(bench, row, "cartesian"))
        parallel = runs.result("parallel", row, lambda: native(bench, row, "cartesian", "--jobs", "2"))
        check_native(bench, row, standard, reduced, parallel)
        rows.append(line("", "native", standard, reduced, parallel))
    return table(("program", "", "all: states", "transitions", "ms", "cartesian: states", "transitions", "ms",
                        "parallel, ms", "states saved, %", "transitions saved, %", "time saved, %", "by parallel, %"), rows)


def readings(bench):
    """How many states cartesian vectors lead to, by how waiting is read."""
    published_states = {(row.kind, row.sizes): row.cartesian[0] for row in ROWS}
    rows = []
    for model, kind, sizes in READINGS:
        row = Row(kind, sizes, "", "sync", None, None)
        row.script = lambda model=model, sizes=sizes: [model, *map(str, sizes)]
        rows.append((f"{model} {' '.join(map(str, sizes))}", scripted(bench, row, "states")["states"] if max(sizes) < 14 else "",
                     published_states[kind, sizes],
                     *(scripted(bench, row, *options, "cartesian")["states"] for options in ((), ("--twice",), ("--ours",)))))
    return table(("program", "all states", "published", "Figure 6", "idle steps twice", "ours"), rows)


def transitions(bench, row, strategy):
    """How many transitions a strategy needs natively, or that they are more than it may have."""
    result = bench.run(row.program(), strategy, *row.options, *([] if strategy == "cartesian" else ["--max-executions", str(MOST_EXECUTIONS)]))
    if not result["complete"] and result["steps"] < MOST_TRANSITIONS:
        sys.exit(f"{row.program()} --strategy {strategy}: {result['steps']} steps in {MOST_EXECUTIONS} executions")
    return result["steps"] if result["steps"] < MOST_TRANSITIONS else f"> {MOST_TRANSITIONS}"


def flanagan_godefroid(bench):
    """Transitions of the dynamic reduction of Flanagan and Godefroid (`dpor`), and of cartesian search."""
    rows = []
    for row in ROWS:
        if (row.kind, row.sizes) in DYNAMIC:
            ours = [transitions(bench, row, strategy) for strategy in DYNAMIC_STRATEGIES]
            rows.append((row.name(), row.cartesian[1], DYNAMIC[row.kind, row.sizes], *ours))
    return table(("program", "cartesian, published", "FG, published", *(s.replace(" --no-sleep", ", no sleep sets") for s in DYNAMIC_STRATEGIES)),
                 rows)


def compiled(folder, model, size, *options):
    """Makes folder/pan, and says how long that took."""
    start = time.monotonic()
    # -o2: what is only written is part of a state, too
    subprocess.run(["spin", "-o2", "-a", f"-DN={size}", HERE / "promela" / f"{model}.pml"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["gcc", "-O2", "-w", "-DSAFETY", f"-DMEMLIM={SPIN_MEGABYTES}", *options, "-o", "pan", "pan.c"], cwd=folder,
                   check=True)
    return time.monotonic() - start


def spin_run(folder, deadlocks):
    """States, transitions and seconds of folder/pan, by its own account; None if that needs too much of anything. That SPIN
    counts the first state among the transitions is undone."""
    try:
        done = subprocess.run(["./pan", "-c0", "-m1000000", "-w22", *["-E"] * deadlocks], cwd=folder, stdout=subprocess.PIPE,
                              text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    found = [re.search(pattern, done.stdout, re.M) for pattern in
             (r"^\s*([\d.e+]+) states, stored", r"^\s*([\d.e+]+) transitions", r"^pan: elapsed time ([\d.e+-]+) seconds")]
    if not all(found) or "not completed" in done.stdout or "too small" in done.stdout:
        return None
    states, transitions, seconds = (float(match.group(1)) for match in found)
    return {"states": int(states), "steps": int(transitions) - 1, "seconds": seconds,
            "errors": "errors: 0" not in done.stdout}


def spin(bench):
    rows = []
    for row in ROWS:
        if row.kind not in SPIN or row.sizes not in SPIN[row.kind]:
            continue
        everything, reduced = native(bench, row, "states"), native(bench, row, "cartesian")
        if not shutil.which("spin"):
            rows.append((row.name(), *("SPIN is not installed",) * 3, "", "", "", "", *cells(everything), *cells(reduced)))
            continue
        model, size = row.kind.lower().replace(" ", ""), row.sizes[-1] if row.sizes else 0
        compiling = compiled(bench.folder, model, size)
        by_spin = spin_run(bench.folder, row.kind in DEADLOCKS)
        compiled(bench.folder, model, size, "-DNOREDUCE")
        without = spin_run(bench.folder, row.kind in DEADLOCKS)
        if without:
            bench.check(f"{row.name()} by SPIN", ("errors", without["errors"], False),
                        *([("states", without["states"], everything["states"])] if everything and row.kind in SPIN_NATIVE else []),
                        *([("states as published", without["states"], row.standard[0])]
                          if row.standard and row.kind != "Philosophers" else []))
        rows.append((row.name(), *cells(without), *cells(by_spin), f"{1000 * compiling:.0f}", *cells(everything),
                     *cells(reduced)))
    return table(("program", "SPIN, no reduction: states", "transitions", "ms", "SPIN: states", "transitions", "ms",
                        "compiling, ms", "`states`: states", "transitions", "ms", "`cartesian`: states", "transitions", "ms"),
                       rows)
