# SPDX-License-Identifier: MIT
"""Builds and runs cases of the matrix, and judges what happened."""
import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor

from common import HERE, run
from . import cases

BUILDS = (("gcc", "-O0"), ("clang", "-O2"), ("gcc", "-O2"), ("clang", "-O0"), ("clang", "-O1"), ("gcc", "-O1"))
FLAGS = ("-g", "-pthread", "-Wall", "-Werror", "-Wno-unused-function", "-Wno-unused-variable", "-Wno-empty-body", "-Wno-misleading-indentation",
         "-Wno-use-after-free", "-Wno-unknown-warning-option")
FLAGS_C = ("-D_GNU_SOURCE", "-std=gnu11", "-Wno-discarded-qualifiers", "-Wno-incompatible-pointer-types-discards-qualifiers")
CORE = ("mutex-normal", "cond-signal", "rwlock-write", "sem-lock", "std-condition")
OTHERS, EACH = 8, 24  # what choose_some chooses: objects besides those, and cases of each
FOUND = re.compile(r"^bug: ([\w-]+)", re.MULTILINE)


class Matrix:
    def __init__(self, options, tally, folder):
        self.mazurka, self.seed, self.tally, self.folder = options.build / "mazurka", options.seed, tally, folder
        self.builds = [build for build in BUILDS if shutil.which(build[0])]

    def build_of(self, case):
        return self.builds[(case.number + self.seed) % len(self.builds)] if self.seed else self.builds[case.object.number % len(self.builds)]

    def binary(self, case):
        return self.folder / "".join((case.object.name, "-", *self.build_of(case)))

    def compile(self, case):
        """What is wrong with the building of the program that has the case."""
        compiler, level = self.build_of(case)
        source = self.folder / f"{self.binary(case).name}.h"
        source.write_text(case.object.source())
        kind, word, more = ("cc", "case.c", FLAGS_C) if case.language == "c" else ("c++", "case.cc", ("-std=c++20",))
        if case.language != "c":
            compiler = {"gcc": "g++", "clang": "clang++"}[compiler]
        status, output = run([self.mazurka, kind, level, *FLAGS, *more, f"-I{HERE / 'matrix'}", f'-DOBJECT_SOURCE="{source}"', HERE / "matrix" / word,
                              "-o", self.binary(case)], env={**os.environ, "MAZURKA_CC": compiler, "MAZURKA_CXX": compiler})
        return [] if status == 0 else [output]

    def try_case(self, case):
        """What is wrong with how the case went."""
        command = [self.binary(case), *case.arguments]
        wrong = []
        if not case.kinds:
            status, output = run(command, self.folder, 20)
            if status != 0:
                wrong.append(f"started by itself: status {status}\n{output}")
        status, output = run([self.mazurka, "run", "--max-executions", "100000", "--timeout", "50", "--out", self.folder / f"out-{case.number}", *case.options, *command],
                             self.folder)
        kinds = set(FOUND.findall(output))
        explained = status == 1 and kinds and kinds <= case.may
        if not case.kinds and not explained and (status != 0 or ", complete" not in output):
            wrong.append(f"explored: status {status}\n{output}")
        if case.kinds and (status != 1 or not kinds & case.kinds):
            wrong.append(f"explored: status {status}, {' '.join(sorted(kinds)) or 'nothing'} in place of {' or '.join(sorted(case.kinds))}\n{output}")
        shutil.rmtree(self.folder / f"out-{case.number}", ignore_errors=True)
        return wrong

    def judge(self, chosen):
        with ThreadPoolExecutor(2) as pool:
            programs = list({self.binary(case): case for case in chosen}.values())
            broken = set()
            for case, wrong in zip(programs, pool.map(self.compile, programs)):
                if wrong:
                    self.tally.judge(f"{self.binary(case).name} cannot be built", wrong)
                    broken.add(self.binary(case))
            chosen = [case for case in chosen if self.binary(case) not in broken]
            for case, wrong in zip(chosen, pool.map(self.try_case, chosen)):
                command = " ".join([str(self.mazurka), "run", *case.options, self.binary(case).name, *case.arguments])
                self.tally.judge(f"{case.number}: {case.name} ({' '.join(self.build_of(case))}): {command}", wrong, f"tests/posix/run matrix --seed {self.seed} --only {case.number}")


def choose(options, words):
    """The cases that are asked for."""
    every = cases.all_cases()
    if options.only:
        return [case for case in every if case.number in options.only]
    chosen = [case for case in every if all(word in f"{case.name} " for word in words)]
    chosen = chosen[options.seed % options.every::options.every]
    return chosen[:options.first] if options.first else chosen


def choose_some(seed):
    """A few cases of objects that everybody uses, and of others, in turn. Each object takes a program to be built."""
    by_object = {}
    for case in cases.all_cases():
        by_object.setdefault(case.object.name, []).append(case)
    others = [name for name in by_object if name not in CORE]
    names = [*CORE, *(others[(seed + step * len(others) // OTHERS) % len(others)] for step in range(OTHERS))]
    return [case for name in names for case in by_object[name][seed % EACH::len(by_object[name]) // EACH + 1][:EACH]]
