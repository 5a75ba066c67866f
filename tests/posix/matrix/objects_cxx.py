# SPDX-License-Identifier: MIT
"""The objects in C++ of the matrix: members, what one of `users` threads does, as number `who`, and what can be done wrong. Each use counts
once; the members are constructed and destroyed with the object."""
from .objects import fault


class Object:
    """`bound` limits preemptions where the library's own loops have too many orders. `may` names kinds of findings for which the library
    is the reason: they are no failures where several threads use the object."""

    def __init__(self, name, members, use, faults=None, before="", touches=True, heavy=False, bound=None, may=""):
        self.name, self.members, self.use, self.faults, self.before, self.heavy = name, members, use, faults or {}, before, heavy
        self.bound, self.may = bound, set(may.split())
        self.static, self.zero, self.touches = None, False, touches

    def source(self):
        """What case.cc includes."""
        functions = "".join(f"\tvoid fault_{number}_{part}()\n\t{{\n\t\t{code}\n\t}}\n" for number, (_, *codes) in enumerate(self.faults.values())
                            for part, code in enumerate(codes))
        faults = "".join(f'\t{{"{name}", &object::fault_{number}_0, &object::fault_{number}_1}},\n' for number, name in enumerate(self.faults))
        return (f'#include "case.hh"\n{self.before}\nstruct object {{\n\t{self.members}\n\tobject() {{}}\n'
                f"\tvoid use([[maybe_unused]] int who, [[maybe_unused]] int users)\n\t{{\n\t\t{self.use}\n\t}}\n{functions}}};\n"
                f"static const fault faults[] = {{\n{faults}\t{{nullptr, nullptr, nullptr}},\n}};\n")


def lock(name, kind, use="std::lock_guard guard(m); work();", faults=None, twice="deadlock"):
    made = {"race": fault("data-race", "START { std::lock_guard guard(m); work(); } JOIN", "work();"),
            "forgotten-unlock": fault("deadlock", "m.lock(); START JOIN", "std::lock_guard guard(m);"), **(faults or {})}
    if twice:
        made["locked-twice"] = fault(twice, "m.lock(); m.lock();")
        made["unlock-not-held"] = fault("misuse", "m.unlock();")
    return Object(name, f"std::{kind} m;", use, made)


COUNTED = "std::lock_guard guard(helper); work();"
TRIED = "while (!m.try_lock()) std::this_thread::yield(); work(); m.unlock();"
TIMED = "if (!m.try_lock_for(1000s)) m.lock(); work(); m.unlock();"


def condition(name, kind, wait, notify):
    return Object(name, f"std::{kind} c; bool flag = false;",
                  f"if (users == 1) {{ std::unique_lock guard(helper); work(); c.{notify}(); }}"
                  f"else if (who == 0) {{ std::unique_lock guard(helper); {wait} flag = false; work(); }}"
                  f"else {{ std::unique_lock guard(helper); flag = true; work(); c.{notify}(); }}",
                  {"never-notified": fault("deadlock", "START JOIN", "std::unique_lock guard(helper); c.wait(guard, [this] { return flag; });"),
                   "flag-without-lock": fault("data-race", f"START {{ std::unique_lock guard(helper); c.wait(guard, [this] {{ return flag; }}); }} JOIN",
                                              f"flag = true; c.{notify}();"),
                   "lost-notification": fault("deadlock", "START { std::unique_lock guard(helper); c.wait(guard); } JOIN", f"c.{notify}();")})


def future(name, begin, race=True):
    return Object(name, "int unused = 0;", f"{begin} assert(f.get() == 7); {COUNTED}",
                  {"race": fault("data-race", f"{begin.replace('return 7', 'work(); return 7').replace('[]', '[]')} work(); f.get();")} if race else {}, touches=False,
                  bound=2)


OBJECTS = [
    lock("std-mutex", "mutex"), lock("std-mutex-try", "mutex", TRIED),
    lock("std-recursive-mutex", "recursive_mutex", "std::lock_guard one(m), two(m); work();", twice=None),
    lock("std-timed-mutex", "timed_mutex", TIMED), lock("std-recursive-timed-mutex", "recursive_timed_mutex", TIMED, twice=None),
    lock("std-shared-mutex", "shared_mutex", "{ std::shared_lock guard(m); assert(count >= 0); } std::unique_lock guard(m); work();", twice=None),
    lock("std-shared-timed-mutex", "shared_timed_mutex", "{ std::shared_lock guard(m, 1000s); } std::unique_lock guard(m); work();", twice=None),
    Object("std-scoped-lock", "std::mutex one, two;", "std::scoped_lock guard(one, two); work();",
           {"order": fault("deadlock", "START { std::lock_guard first(one), second(two); } JOIN", "std::lock_guard first(two), second(one);")}),
    condition("std-condition", "condition_variable", "c.wait(guard, [this] { return flag; });", "notify_one"),
    condition("std-condition-all", "condition_variable", "c.wait(guard, [this] { return flag; });", "notify_all"),
    condition("std-condition-for", "condition_variable", "if (!c.wait_for(guard, 1000s, [this] { return flag; })) c.wait(guard, [this] { return flag; });", "notify_one"),
    condition("std-condition-any", "condition_variable_any", "c.wait(guard, [this] { return flag; });", "notify_one"),
    Object("std-latch", "std::latch l{parties()}; bool over = false;", f"{{ {COUNTED} if (over) return; }} l.arrive_and_wait(); assert(count >= users);"
           "if (users == 1) { std::lock_guard last(helper); l.wait(); assert(l.try_wait()); over = true; }",
           {"one-too-few": fault("deadlock", "std::latch two(2); two.arrive_and_wait();"),
            "race": fault("data-race", "std::latch two(2); other = &two; START two.arrive_and_wait(); work(); JOIN", "other->arrive_and_wait(); work();")},
           before="static std::latch *other;", heavy=True),
    Object("std-barrier", "std::barrier<> b{parties()};", f"{{ {COUNTED} }} b.arrive_and_wait(); assert(count >= users);",
           {"one-too-few": fault("deadlock", "std::barrier two(2); two.arrive_and_wait();")}, heavy=True),
    Object("std-semaphore", "std::counting_semaphore<5> s{1};", "s.acquire(); work(); s.release();",
           {"never-released": fault("deadlock", "s.acquire(); s.acquire();"), "race": fault("data-race", "s.release(); START s.acquire(); work(); s.release(); JOIN",
                                                                                     "s.acquire(); work(); s.release();")},
           may="deadlock"),  # libstdc++ 12 loses a wake-up
    Object("std-binary-semaphore", "std::binary_semaphore s{0};", "if (users == 1) { s.release(); s.acquire(); work(); } else if (who) { work(); s.release(); } else { s.acquire(); work(); }",
           {"never-released": fault("deadlock", "START JOIN", "s.acquire();")}),
    Object("std-once", "std::once_flag flag; int up = 0;", f"std::call_once(flag, [this] {{ up++; }}); assert(up == 1); {COUNTED}"),
    Object("std-once-throws", "std::once_flag flag; int tries = 0;", "try { std::call_once(flag, [this] { if (!tries++) throw 1; }); } catch (int) {"
           f"std::call_once(flag, [this] {{ tries++; }}); }} assert(tries == 2); {COUNTED}"),
    Object("std-thread", "int done = 0;", f"int mine = 0; std::thread t([&] {{ mine = 1; }}); t.join(); assert(mine == 1); {COUNTED}",
           {"race": fault("data-race", "std::thread t([this] { done = 1; }); done = 2; t.join();"),
            "not-joined": fault("assertion", "std::thread t([] {});")}, touches=False),
    Object("std-jthread", "int done = 0;", f"bool stopped = false; {{ std::jthread t([&](std::stop_token token) {{ while (!token.stop_requested()) std::this_thread::yield(); stopped = true; }}); }}"
           f"assert(stopped); {COUNTED}", {"never-stopped": fault("deadlock livelock", "std::promise<void> p; std::jthread t([&] { p.get_future().wait(); });")}, touches=False, bound=2),
    Object("std-promise", "int unused = 0;", f"std::promise<int> p; std::future<int> f = p.get_future(); std::jthread t([&] {{ p.set_value(7); }}); assert(f.get() == 7); {COUNTED}",
           {"never-kept": fault("deadlock", "std::promise<int> p; p.get_future().wait();")}, touches=False, bound=2),
    Object("std-promise-broken", "int unused = 0;", f"std::future<int> f; {{ std::promise<int> p; f = p.get_future(); }} try {{ f.get(); assert(false); }} catch (std::future_error &) {{}} {COUNTED}", touches=False),
    future("std-packaged-task", "std::packaged_task<int()> task([] { return 7; }); auto f = task.get_future(); std::jthread t(std::move(task));"),
    future("std-async", "auto f = std::async(std::launch::async, [] { return 7; });"),
    future("std-async-deferred", "auto f = std::async(std::launch::deferred, [] { return 7; });", race=False),
    future("std-shared-future", "std::promise<int> p; std::shared_future<int> f = p.get_future().share(); std::jthread t([f] { assert(f.get() == 7); }); p.set_value(7);", race=False),
    Object("std-atomic-wait", "std::atomic<int> a{0};", "if (users == 1) { a = 1; a.notify_all(); a.wait(0); work(); a = 0; } else if (who) { work(); a = 1; a.notify_one(); }"
           "else { a.wait(0); work(); a = 0; }", {"never-notified": fault("deadlock", "START a.wait(0); JOIN", "a = 1;"), "never-set": fault("deadlock", "a.wait(0);")}),
    Object("std-atomic-flag", "std::atomic_flag f;", "while (f.test_and_set(std::memory_order_acquire)) f.wait(true); work(); f.clear(); f.notify_one();",
           {"race": fault("data-race", "START while (f.test_and_set()) f.wait(true); work(); f.clear(); f.notify_one(); JOIN", "work();")}, bound=2),
    Object("std-atomic-shared", "std::atomic<int> references{1};", f"references++; {{ {COUNTED} }} references--; assert(references >= 1);"),
    Object("std-shared-ptr", "std::shared_ptr<int> p = std::make_shared<int>(0);", f"std::shared_ptr<int> mine = p; {COUNTED} ++*mine;",
           {"race": fault("data-race", "START { std::shared_ptr<int> mine = p; } JOIN", "p = std::make_shared<int>(1);"),
            "race-in-it": fault("data-race", "START ++*p; JOIN", "++*p;")}, touches=False),
    Object("std-stop-source", "std::stop_source s;", "std::stop_source own; std::atomic<int> called{0}; assert(s.stop_possible()); {"
           f"std::stop_callback on(own.get_token(), [&] {{ called++; }}); assert(own.request_stop()); }} assert(called == 1 && !own.request_stop()); {COUNTED}", touches=False),
    Object("guarded-static", "int unused = 0;", f"static std::unique_ptr<int> made = std::make_unique<int>(5); assert(*made == 5); {COUNTED}", touches=False),
    Object("thread-local-destructor", "int unused = 0;", f"alive = std::make_unique<int>(3); assert(*alive == 3); {COUNTED}",
           before="static thread_local std::unique_ptr<int> alive;", touches=False),
]
