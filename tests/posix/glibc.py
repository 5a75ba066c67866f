# SPDX-License-Identifier: MIT
"""The part `glibc`: tests of threads that the C library has itself, from Debian's source package, built with the driver in glibc/ in place of
their own. The file glibc/verdicts has a line for each: name | what has to be found | why, if that is not `pass`. `left out` are those that
need what is inside the C library, or start processes."""
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from importlib import machinery, util

from common import HERE, run

FLAGS = ("-D_GNU_SOURCE", "-std=gnu11", "-g", "-O1", "-pthread", "-w", "-fno-strict-aliasing")
LIMITS = ("--max-executions", "30", "--timeout", "20", "--max-steps", "20000")
FOUND = re.compile(r"^bug: ([\w-]+)", re.MULTILINE)
SUPPORT = re.compile(r"#\s*include\s*[<\"]support/(\w+\.h)[>\"]")
FOLDERS = ("nptl", "sysdeps/pthread")


def libraries():
    """tests/libraries/run, which knows how to fetch sources."""
    loader = machinery.SourceFileLoader("libraries_run", str(HERE.parent / "libraries" / "run"))
    module = util.module_from_spec(util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def verdicts():
    lines = [line.split(" | ") for line in (HERE / "glibc" / "verdicts").read_text().splitlines() if line and not line.startswith("#")]
    return {name: {verdict, "pass"} if more and more[0].startswith("open") else {verdict} for name, verdict, *more in lines}


def prepare(source, work):
    """Copies tests to a tree in which their driver is ours. Returns their names."""
    names = []
    for folder in FOLDERS:
        (work / folder).mkdir(parents=True, exist_ok=True)
        for path in [*(source / folder).glob("tst-*.[ch]"), *(source / folder).glob("eintr.c")]:
            shutil.copy(path, work / folder)
            names += [path.stem] if path.suffix == ".c" else []
    for name in ("test-skeleton.c", "sysdeps/test-skeleton.c"):
        shutil.copy(HERE / "glibc" / "test-skeleton.c", work / name)
    (work / "support").mkdir(exist_ok=True)
    shutil.copy(HERE / "glibc" / "test-driver.c", work / "support")
    texts = "".join(path.read_text(errors="replace") for folder in FOLDERS for path in (work / folder).iterdir())
    for header in {*SUPPORT.findall(texts), "test-driver.h"}:
        (work / "support" / header).write_text('#include "driver.h"\n')
    for header in ("libc-diag.h", "array_length.h", "config.h"):
        (work / header).write_text('#include "driver.h"\n')
    return sorted(name for name in names if name.startswith("tst-"))


class Tests:
    def __init__(self, options, tally, work, expected):
        self.mazurka, self.tally, self.work, self.expected = options.build / "mazurka", tally, work, expected

    def path(self, name):
        return next(path for path in (self.work / folder / f"{name}.c" for folder in FOLDERS) if path.exists())

    def try_one(self, name):
        """(what happened, in a word; what was printed)"""
        includes = [f"-I{folder}" for folder in (HERE / "glibc", self.work, *(self.work / folder for folder in FOLDERS))]
        status, output = run([self.mazurka, "cc", *FLAGS, *includes, self.path(name), "-o", self.work / name], self.work)
        if status != 0:
            return "not built", output
        status, output = run([self.mazurka, "run", *LIMITS, "--out", self.work / f"{name}.out", self.work / name], self.work, 60)
        shutil.rmtree(self.work / f"{name}.out", ignore_errors=True)
        found = FOUND.findall(output)
        return {0: "pass", 1: found[0] if found else "bug", 2: "refused", 3: "pass", None: "no end"}.get(status, f"status {status}"), output

    def judge(self, names):
        with ThreadPoolExecutor(2) as pool:
            for name, (verdict, output) in zip(names, pool.map(self.try_one, names)):
                wrong = [] if verdict in self.expected[name] else [f"{verdict} in place of {' or '.join(self.expected[name])}", output[:3000]]
                self.tally.judge(f"glibc {name}", wrong, f"tests/posix/run glibc {name}")


def run_glibc(options, words, tally, folder):
    expected = verdicts()
    module = libraries()
    try:
        source = module.Sources(folder / "glibc").fetch("glibc")
    except module.Failure as failure:
        tally.judge("glibc cannot be fetched", [str(failure)])
        return
    found = prepare(source, folder / "tests")
    judged = [name for name in found if "left out" not in expected.get(name, {"left out"})]
    print(f"apart: {len(found) - len(judged)} files of the C library's left out")
    chosen = [name for name in judged if not words or name in words]
    Tests(options, tally, folder / "tests", expected).judge(chosen[options.seed % options.every::options.every])
