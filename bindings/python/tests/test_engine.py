# SPDX-License-Identifier: MIT
"""The engine's interface, with exact counts: scripted hosts, the examples of the document that the interface follows,
errors, and that ctypes knows the structures as the C compiler lays them out."""
import ctypes
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from mazurka import Engine, EngineError, Execution, PyDporEngine, PyExecution, _library

INCLUDE = pathlib.Path(__file__).resolve().parents[3] / "include"


def run(program, **options):
    """Explores a program: for each thread a list of (object, kind). Returns the engine."""
    engine = Engine(num_threads=len(program), count_traces=True, **options)
    while True:
        execution = engine.begin_execution()
        at = [0] * len(program)
        while (thread := engine.schedule(execution)) is not None:
            object_id, kind = program[thread][at[thread]]
            engine.report_access(execution, thread, object_id, kind)
            at[thread] += 1
            if at[thread] == len(program[thread]):
                execution.finish_thread(thread)
        if not engine.next_execution():
            return engine


def traces(program, **options):
    engine = run(program, **options)
    assert engine.complete and engine.incomplete is None
    assert engine.counts.redundant == 0
    assert engine.executions_completed == engine.counts.traces
    return engine.counts.traces


X, Y = 1, 2
READ_WRITE = [(X, "read"), (X, "write")]


class Document(unittest.TestCase):
    """Each example and figure that the document prints, as it comes out here."""

    def test_loop_as_printed(self):
        engine = PyDporEngine(num_threads=2, preemption_bound=2, max_branches=100_000, max_executions=None)
        schedules = []
        while True:
            execution = engine.begin_execution()
            self.assertIsInstance(execution, PyExecution)
            while True:
                thread_id = engine.schedule(execution)
                if thread_id is None:
                    break
                engine.report_access(execution, thread_id, X, "write")
                execution.finish_thread(thread_id)
            self.assertFalse(execution.aborted)
            schedules.append(execution.schedule_trace)
            self.assertEqual(engine.tree_depth, 2)
            if not engine.next_execution():
                break
        self.assertEqual(sorted(schedules), [[0, 1], [1, 0]])
        self.assertEqual((engine.executions_completed, engine.num_threads), (2, 2))

    def test_concurrent_counter(self):
        """The bug shows in the second execution, as printed. There are four traces, not two."""
        values, engine = [], Engine(num_threads=2)
        while True:
            execution, counter, local = engine.begin_execution(), 0, {}
            while (thread := engine.schedule(execution)) is not None:
                if thread not in local:
                    local[thread] = counter
                    engine.report_access(execution, thread, X, "read")
                else:
                    counter = local[thread] + 1
                    engine.report_access(execution, thread, X, "write")
                    execution.finish_thread(thread)
            values.append(counter)
            if not engine.next_execution():
                break
        self.assertEqual(values[:2], [2, 1])
        self.assertEqual(len(values), 4)

    def test_reduction_in_practice(self):
        """The table: interleavings, and traces. Those of the last column of the document are 2, 2, 1 and 6."""
        five = READ_WRITE * 2 + [(X, "read")]
        self.assertEqual(run([READ_WRITE] * 2, strategy="dfs").counts.executions, 6)
        self.assertEqual(traces([READ_WRITE] * 2), 4)
        self.assertEqual(run([five] * 2, strategy="dfs").counts.executions, 252)
        self.assertEqual(traces([five] * 2), 74)
        self.assertEqual(traces([READ_WRITE, [(Y, "read"), (Y, "write")]]), 1)
        self.assertEqual(run([READ_WRITE] * 3, strategy="dfs").counts.executions, 90)
        self.assertEqual(traces([READ_WRITE] * 3), 36)

    def test_abstract_example(self):
        program = [[(X, "write")], [(Y, "read"), (X, "write")]]
        self.assertEqual(run(program, strategy="dfs").counts.executions, 3)
        self.assertEqual(traces(program), 2)

    def test_writer_and_readers(self):
        for readers in range(1, 7):
            self.assertEqual(traces([[(X, "write")]] + [[(X, "read")]] * readers), 2 ** readers)

    def test_as_published(self):
        """The document's own algorithm: 2^N for a writer and N readers, as it says; six executions of the counter, not two."""
        for readers in range(1, 7):
            engine = run([[(X, "write")]] + [[(X, "read")]] * readers, as_published=True)
            self.assertEqual(engine.counts.executions, 2 ** readers)
            self.assertEqual(engine.incomplete, "published form: not exhaustive")
        counts = run([READ_WRITE] * 2, as_published=True).counts
        self.assertEqual((counts.executions, counts.traces), (6, 4))

    def test_kinds(self):
        """Which of two accesses conflict: two traces, or one."""
        conflicts = {("read", "write"), ("read", "weak_write"), ("write", "write"), ("write", "weak_write"),
                     ("write", "weak_read"), ("weak_write", "read")}
        for a in _library.ACCESSES:
            for b in _library.ACCESSES:
                expected = 2 if (a, b) in conflicts or (b, a) in conflicts else 1
                self.assertEqual(traces([[(X, a)], [(X, b)]]), expected, (a, b))

    def test_orders_find_the_same(self):
        """Other orders explore the same traces, and none twice."""
        for order in ("dfs", "bit-reversal", "round-robin", "stride", "conflict-first"):
            self.assertEqual(traces([READ_WRITE] * 3, order=order), 36)

    def test_preemption_bound(self):
        self.assertEqual([traces([READ_WRITE] * 3, preemption_bound=bound) for bound in range(4)], [6, 24, 36, 36])

    def test_interleavings_are_binomial(self):
        for n in range(1, 5):
            engine = run([[(X, "write")] * n, [(Y, "write")] * n], strategy="dfs")
            self.assertEqual(engine.counts.executions, math.comb(2 * n, n))


class Calls(unittest.TestCase):
    def test_iterate(self):
        engine = run([READ_WRITE] * 3, iterate=True)
        self.assertTrue(engine.complete)
        self.assertEqual(engine.counts.executions, 36)
        self.assertGreaterEqual(engine.preemption_bound, 2)

    def test_limits(self):
        engine = run([READ_WRITE] * 3, max_executions=5)
        self.assertFalse(engine.complete)
        self.assertEqual(engine.incomplete, "as many executions were run as were asked for")
        self.assertEqual(engine.counts.executions, 5)
        engine = run([READ_WRITE * 2] * 3, strategy="cbpor", max_memory=20000)
        self.assertEqual(engine.incomplete, "the limit on memory was reached")

    def test_sections_in_a_step(self):
        """Acquire, write, release, all in one step: the threads come one after the other."""
        engine, runs = Engine(num_threads=3), 0
        more = True
        while more:
            execution = engine.begin_execution()
            for thread in range(3):
                execution.wait_for(thread, "lock_acquire", 5)
            while (thread := engine.schedule(execution)) is not None:
                engine.report_sync(execution, thread, "lock_acquire", 5)
                engine.report_access(execution, thread, X, "write")
                engine.report_sync(execution, thread, "lock_release", 5)
                execution.finish_thread(thread)
                execution.finish_thread(thread)
            runs += 1
            more = engine.next_execution()
        self.assertEqual(runs, 6)

    def orders_under_a_lock(self, report, **options):
        """The orders in which two threads get a lock, report an access and give the lock back."""
        engine, orders = Engine(num_threads=2, **options), []
        while True:
            execution, order, at = engine.begin_execution(), [], [0, 0]
            for thread in range(2):
                execution.wait_for(thread, "lock_acquire", 5)
            while (thread := engine.schedule(execution)) is not None:
                at[thread] += 1
                if at[thread] == 1:
                    engine.report_sync(execution, thread, "lock_acquire", 5)
                elif at[thread] == 2:
                    getattr(engine, report)(execution, thread, X, "write")
                    order.append(thread)
                else:
                    engine.report_sync(execution, thread, "lock_release", 5)
                    execution.finish_thread(thread)
            orders.append(order)
            if not engine.next_execution():
                return sorted(orders)

    def test_io_under_a_lock(self):
        """All is explored in both orders, because the lock is; as published, I/O alone is."""
        both = [[0, 1], [1, 0]]
        for report in ("report_access", "report_io_access"):
            self.assertEqual(self.orders_under_a_lock(report), both)
        self.assertEqual(self.orders_under_a_lock("report_access", as_published=True), [[0, 1]])
        self.assertEqual(self.orders_under_a_lock("report_io_access", as_published=True), both)

    def test_abandon(self):
        engine = Engine(num_threads=2)
        execution = engine.begin_execution()
        thread = engine.schedule(execution)
        engine.report_access(execution, thread, X, "write")
        execution.abandon()
        self.assertTrue(execution.aborted)
        engine.next_execution()
        self.assertEqual(engine.counts.abandoned, 1)

    def test_waits_in_vain(self):
        """Two threads make n steps each beside one that waits for ever. Of the C(2n, n) interleavings n are tried in vain."""
        for n in (2, 5):
            engine = Engine(num_threads=3, strategy="cbpor")
            while True:
                execution, left = engine.begin_execution(), [n, n]
                execution.block_thread(2)
                while (thread := engine.schedule(execution)) is not None:
                    engine.report_access(execution, thread, X, "read")
                    left[thread] -= 1
                    if not left[thread]:
                        execution.finish_thread(thread)
                if not engine.next_execution():
                    break
            self.assertEqual((engine.counts.executions, engine.counts.futile, engine.counts.steps), (1, n, n * (n + 2)))

    def test_numbers_out_of_range(self):
        for name, value in (("preemption_bound", -1), ("preemption_bound", 2**32), ("delays", -1), ("fair", -1), ("seed", -1),
                            ("num_threads", 0), ("max_branches", 0), ("max_branches", -1), ("max_executions", 0),
                            ("max_executions", -1), ("max_executions", 2**64), ("max_depth", 0), ("max_memory", -1),
                            ("depth", 0)):
            with self.assertRaisesRegex(ValueError, f"^{name} is {value}: take a number from [01] to "):
                Engine(**{name: value})
        self.assertEqual(Engine(preemption_bound=0, max_branches=1, max_executions=1, seed=0).preemption_bound, 0)
        self.assertIsNone(Engine(preemption_bound=None, max_executions=None).preemption_bound)

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "there is no strategy 'best'"):
            Engine(strategy="best")
        engine = Engine(num_threads=2)
        execution = engine.begin_execution()
        with self.assertRaisesRegex(ValueError, "there is no kind 'look'"):
            engine.report_access(execution, 0, X, "look")
        with self.assertRaisesRegex(EngineError, "thread 1 was not scheduled"):
            engine.schedule(execution)
            engine.report_access(execution, 1, X, "read")
        with self.assertRaisesRegex(EngineError, "thread 1 was not scheduled"):
            engine.schedule(execution)
        engine = Engine()
        with self.assertRaisesRegex(EngineError, "not under way"):
            engine.schedule(Execution(engine))


class Layout(unittest.TestCase):
    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_structures(self):
        """ctypes lays out the structures, and numbers the kinds, as the header does."""
        fields = [("mz_engine_options", _library.Options), ("mz_engine_counts", _library.Counts)]
        lines = [f'printf("%zu ", offsetof({name}, {field[0]}));' for name, structure in fields for field in structure._fields_]
        lines += [f'printf("%zu ", sizeof({name}));' for name, _ in fields]
        lines += ['printf("%d %d %d %d ", MZ_ENGINE_TAKE, MZ_ENGINE_AWAIT, MZ_ENGINE_RELEASE_ANY, MZ_WEAK_WRITE);']
        text = "#include <mazurka/engine.h>\n#include <stdio.h>\nint main(void) {" + "\n".join(lines) + "}\n"
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "layout.c"), os.path.join(folder, "layout")
            pathlib.Path(source).write_text(text, encoding="utf-8")
            subprocess.run(["cc", f"-I{INCLUDE}", source, "-o", program], check=True)
            said = [int(word) for word in subprocess.run([program], capture_output=True, check=True).stdout.split()]
        known = [getattr(structure, field[0]).offset for _, structure in fields for field in structure._fields_]
        known += [ctypes.sizeof(structure) for _, structure in fields]
        known += [_library.SYNCS["queue_get"], _library.SYNCS["event_wait"], _library.SYNCS["lock_release_any"],
                  _library.ACCESSES["weak_write"]]
        self.assertEqual(said, known)


if __name__ == "__main__":
    unittest.main()
