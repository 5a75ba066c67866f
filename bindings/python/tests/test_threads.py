# SPDX-License-Identifier: MIT
"""Python's threads under the cooperative scheduler, with exact counts."""
import threading
import time
import unittest

from mazurka import threads
from mazurka.threads import Cell, Condition, Event, Lock, Queue, Semaphore, Thread


def together(*functions):
    """Runs functions in threads of their own, to their end."""
    all_threads = [Thread(target=function) for function in functions]
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()


def explore(program, **options):
    return threads.explore(program, stop_on_first=False, count_traces=True, **options)


class Counts(unittest.TestCase):
    def expect(self, program, traces, failures=0, **options):
        before = threading.active_count()
        result = explore(program, **options)
        self.assertTrue(result.complete, result.incomplete)
        self.assertEqual((result.executions, result.traces, result.redundant), (traces, traces, 0))
        self.assertEqual(len(result.failures), failures, result.failures)
        self.assertEqual(threading.active_count(), before)  # no thread is left behind
        return result

    def test_lost_update(self):
        def program():
            counter = Cell(0)

            def increment():
                counter.set(counter.get() + 1)

            together(increment, increment)
            assert counter.get() == 2, "an update was lost"

        result = self.expect(program, 4, failures=2)
        self.assertEqual(result.failures[0].kind, "exception")
        self.assertIn("an update was lost", result.failures[0].message)
        first = threads.explore(program)
        self.assertEqual(len(first.failures), 1)
        self.assertFalse(first.complete)

    def test_update_in_one_step(self):
        def program():
            counter = Cell(0)
            together(*[lambda: counter.update(lambda n: n + 1)] * 3)
            assert counter.get() == 3

        self.expect(program, 6)

    def test_lock(self):
        def program():
            counter, lock = Cell(0), Lock()

            def increment():
                with lock:
                    counter.set(counter.get() + 1)

            together(increment, increment, increment)
            assert counter.get() == 3

        self.expect(program, 6)

    def test_deadlock(self):
        def program():
            forks = [Lock(), Lock(), Lock()]

            def dine(n):
                with forks[n], forks[(n + 1) % 3]:
                    pass

            together(*[lambda n=n: dine(n) for n in range(3)])

        result = self.expect(program, 7, failures=1)
        self.assertEqual(result.failures[0].kind, "deadlock")

    def test_try_lock(self):
        def program():
            lock, got = Lock(), []

            def attempt():
                got.append(lock.acquire(blocking=False))

            together(attempt, attempt)
            assert got.count(True) == 1

        self.expect(program, 2)

    def test_lock_given_back_by_another(self):
        def program():
            lock = Lock()
            lock.acquire()
            together(lock.release, lock.acquire)

        self.expect(program, 1)

    def test_release_of_a_free_lock(self):
        def program():
            Lock().release()

        self.assertIn("release unlocked lock", self.expect(program, 1, failures=1).failures[0].message)

    def test_semaphore(self):
        def program():
            units, inside = Semaphore(2), Cell(0)

            def enter():
                units.acquire()
                assert inside.update(lambda n: n + 1) <= 2
                inside.update(lambda n: n - 1)
                units.release()

            together(enter, enter)

        self.expect(program, 14)

    def test_queue(self):
        def program():
            queue, got = Queue(), []

            def consume():
                got.extend([queue.get(), queue.get()])

            together(lambda: queue.put("a"), lambda: queue.put("b"), consume)
            assert sorted(got) == ["a", "b"]

        self.expect(program, 4)

    def test_event(self):
        def program():
            ready, data = Event(), Cell()

            def produce():
                data.set(17)
                ready.set()

            def consume():
                ready.wait()
                assert data.get() == 17

            together(produce, consume, consume)

        self.expect(program, 1)

    def test_condition(self):
        def program():
            condition, items = Condition(), []

            def consume():
                with condition:
                    while not items:
                        condition.wait()
                    items.pop()

            def produce():
                with condition:
                    items.append(1)
                    condition.notify()

            together(consume, produce)

        self.expect(program, 2)

    def test_condition_that_is_missed(self):
        def program():
            condition, items = Condition(), []

            def consume():
                with condition:
                    condition.wait()  # without a look at the items: the signal may be over
                    items.pop()

            def produce():
                with condition:
                    items.append(1)
                    condition.notify()

            together(consume, produce)

        self.assertEqual([failure.kind for failure in self.expect(program, 2, failures=1).failures], ["deadlock"])

    def test_names_do_not_depend_on_the_interleaving(self):
        """Each thread makes its own cell and a child that uses it: nothing conflicts, whoever is first."""
        def program():
            def parent():
                own = Cell(0)
                child = Thread(target=lambda: own.set(1))
                child.start()
                child.join()
                assert own.get() == 1

            together(parent, parent)

        self.expect(program, 1)

    def test_bounds(self):
        def program():
            counter = Cell(0)

            def increment():
                counter.set(counter.get() + 1)

            together(increment, increment, increment)

        self.assertEqual([explore(program, preemption_bound=bound).traces for bound in range(3)], [6, 24, 36])

    def test_traces_that_nobody_counted(self):
        result = threads.explore(lambda: together(lambda: None))
        self.assertEqual((result.executions, result.traces), (1, None))

    def test_yields(self):
        def program():
            together(lambda: [threads.yield_now() for _ in range(2)], lambda: [Cell().get() for _ in range(2)])

        counts = [explore(program, strategy="dfs", fair=bound).executions for bound in range(2)]
        self.assertLess(counts[0], counts[1])


class Trouble(unittest.TestCase):
    def test_hang(self):
        """A step that does not end is given up; the thread behind it ends when it comes back."""
        gate = threading.Event()

        def program():
            cell = Cell(0)

            def stay():
                cell.set(1)
                gate.wait(10)
                cell.set(2)

            together(stay)

        before = threading.active_count()
        result = threads.explore(program, timeout=0.2)
        self.assertEqual([failure.kind for failure in result.failures], ["hang"])
        self.assertFalse(result.complete)
        self.assertEqual(result.abandoned, 1)
        gate.set()
        deadline = time.monotonic() + 5
        while threading.active_count() > before and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(threading.active_count(), before)

    def test_outside(self):
        with self.assertRaisesRegex(RuntimeError, "only in a program that explore"):
            Cell(0)


if __name__ == "__main__":
    unittest.main()
