# SPDX-License-Identifier: MIT
"""The objects in C of the matrix: how each is initialised, used, destroyed, and what can be done wrong with it.

`use` is what thread number `who` of `users` threads does; each calls work() once. A fault is the code of a thread that has an object which
is initialised, the code of a thread that START begins and JOIN waits for, and the kinds of findings, of which one has to be found."""


class Object:
    def __init__(self, name, kind, use, *, init=";", destroy=";", static=None, zero=False, faults=None, before="", touches=True):
        self.name, self.type, self.use, self.init, self.destroy = name, kind, use, init, destroy
        self.static, self.zero, self.faults, self.before, self.touches, self.heavy = static, zero, faults or {}, before, touches, False

    def source(self):
        """What case.c includes."""
        functions = [function("initialise", "int users", self.init), function("use", "int who, int users", self.use), function("destroy", "", self.destroy)]
        functions += [function(f"fault_{number}_{part}", "", code) for number, (_, *codes) in enumerate(self.faults.values()) for part, code in enumerate(codes)]
        faults = "".join(f'\t{{"{name}", fault_{number}_0, fault_{number}_1}},\n' for number, name in enumerate(self.faults))
        static = f"#define STATIC_INITIALIZER {self.static}\n" if self.static else ""
        return (f'#include "case.h"\n{self.before}\ntypedef {self.type} object;\n{static}' + "".join(functions)
                + f"static const struct fault faults[] = {{\n{faults}\t{{NULL, NULL, NULL}},\n}};\n")


def function(name, parameters, code):
    unused = "".join(f"(void){word.split()[-1]}; " for word in parameters.split(",") if word)
    return f"static void {name}(void *it_{', ' * bool(parameters)}{parameters})\n{{\n\tobject *o = it_;\n\t(void)o; {unused}\n\t{code}\n}}\n"


def fault(kinds, code, beside=";"):
    return set(kinds.split()), code, beside


def lock_faults(lock, unlock, destroy=None, unheld=True, twice="deadlock"):
    """What can be wrong with anything that is locked and unlocked."""
    faults = {"race": fault("data-race", f"START {lock} work(); {unlock} JOIN", "work();"),
              "forgotten-unlock": fault("deadlock", f"{lock} START JOIN {unlock}", f"{lock} {unlock}")}
    if unheld:
        faults["unlock-not-held"] = fault("misuse", unlock)
    if destroy:
        faults["destroy-held"] = fault("misuse", f"{lock} {destroy}")
        faults["use-after-destroy"] = fault("misuse", f"{destroy} {lock}")
        faults["destroy-before-join"] = fault("misuse", f"START {destroy} JOIN", f"{lock} {unlock}")
    if twice:
        faults["locked-twice"] = fault(twice, f"{lock} {lock}")
    return faults


def mutex(name, attribute="", lock="OK(pthread_mutex_lock(o));", static="PTHREAD_MUTEX_INITIALIZER", zero=True, **more):
    unlock, destroy = "OK(pthread_mutex_unlock(o));", "OK(pthread_mutex_destroy(o));"
    init = "OK(pthread_mutex_init(o, NULL));"
    if attribute:
        init = f"pthread_mutexattr_t a; OK(pthread_mutexattr_init(&a)); {attribute} OK(pthread_mutex_init(o, &a)); OK(pthread_mutexattr_destroy(&a));"
    return Object(f"mutex-{name}", "pthread_mutex_t", more.get("use", f"{lock} work(); {unlock}"), init=init, destroy=destroy, static=static, zero=zero,
                  faults={**lock_faults("OK(pthread_mutex_lock(o));", unlock, destroy, more.get("unheld", True), more.get("twice", "deadlock")),
                          **more.get("faults", {})})


def typed(name):
    return f"OK(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_{name}));"


ROBUST = "OK(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST));"
SHARED = "OK(pthread_{}attr_setpshared(&a, PTHREAD_PROCESS_SHARED));"
NEVER = "struct timespec t = later({}); "
TRY = "while ({}) sched_yield();"
DEADLOCK_REPORTED = fault("assertion", "OK(pthread_mutex_lock(o)); OK(pthread_mutex_lock(o));")
MUTEXES = [
    mutex("default"),
    mutex("normal", typed("NORMAL")),
    mutex("recursive", typed("RECURSIVE"), static="PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP", zero=False, unheld=False, twice=None,
          use="OK(pthread_mutex_lock(o)); OK(pthread_mutex_lock(o)); work(); OK(pthread_mutex_unlock(o)); OK(pthread_mutex_unlock(o));"
              "assert(pthread_mutex_unlock(o) == EPERM || users > 1);",
          faults={"half-unlocked": fault("deadlock", "OK(pthread_mutex_lock(o)); OK(pthread_mutex_lock(o)); OK(pthread_mutex_unlock(o)); START JOIN",
                                         "OK(pthread_mutex_lock(o)); OK(pthread_mutex_unlock(o));")}),
    mutex("errorcheck", typed("ERRORCHECK"), static="PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP", zero=False, unheld=False, twice=None,
          use="OK(pthread_mutex_lock(o)); assert(pthread_mutex_lock(o) == EDEADLK); work(); OK(pthread_mutex_unlock(o));"
              "assert(pthread_mutex_unlock(o) == EPERM);",
          faults={"deadlock-ignored": DEADLOCK_REPORTED}),
    mutex("adaptive", typed("ADAPTIVE_NP"), static="PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP", zero=False),
    mutex("robust", ROBUST, static=None, zero=False, unheld=False, twice="deadlock",
          faults={"death-ignored": fault("assertion", "START JOIN OK(pthread_mutex_lock(o));", "OK(pthread_mutex_lock(o));")}),
    mutex("robust-errorcheck", ROBUST + typed("ERRORCHECK"), static=None, zero=False, unheld=False, twice=None,
          faults={"not-made-consistent": fault("assertion", "START JOIN assert(pthread_mutex_lock(o) == EOWNERDEAD); OK(pthread_mutex_unlock(o));"
                                               "OK(pthread_mutex_lock(o));", "OK(pthread_mutex_lock(o));")}),
    mutex("inherit", "OK(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT));", static=None, zero=False),
    mutex("shared", SHARED.format("mutex"), static=None, zero=False),
    mutex("try", lock=TRY.format("pthread_mutex_trylock(o)")),
    mutex("timed", lock=NEVER.format("CLOCK_REALTIME") + "if (pthread_mutex_timedlock(o, &past) && pthread_mutex_timedlock(o, &t)) OK(pthread_mutex_lock(o));"),
    mutex("clock", lock=NEVER.format("CLOCK_MONOTONIC") + "if (pthread_mutex_clocklock(o, CLOCK_MONOTONIC, &past)"
                                                          "&& pthread_mutex_clocklock(o, CLOCK_MONOTONIC, &t)) OK(pthread_mutex_lock(o));"),
]

LOCK_HELPER, UNLOCK_HELPER = "OK(pthread_mutex_lock(&helper));", "OK(pthread_mutex_unlock(&helper));"


def condition(name, wait, wake="OK(pthread_cond_signal(o));", attribute="", static="PTHREAD_COND_INITIALIZER", zero=True,
              late="assert(pthread_cond_timedwait(o, &helper, &past) == ETIMEDOUT);"):
    init = "OK(pthread_cond_init(o, NULL));"
    if attribute:
        init = f"pthread_condattr_t a; OK(pthread_condattr_init(&a)); {attribute} OK(pthread_cond_init(o, &a)); OK(pthread_condattr_destroy(&a));"
    waiting = f"{LOCK_HELPER} while (!ready) {{ {wait} }} work(); {UNLOCK_HELPER}"
    faults = {
        "lost-signal": fault("deadlock", f"START {LOCK_HELPER} {wait} {UNLOCK_HELPER} JOIN", f"{LOCK_HELPER} ready = 1; {wake} {UNLOCK_HELPER}"),
        "never-signalled": fault("deadlock", f"START {LOCK_HELPER} ready = 1; {UNLOCK_HELPER} JOIN", waiting),
        "wait-without-lock": fault("misuse", wait),
        "use-after-destroy": fault("misuse", f"OK(pthread_cond_destroy(o)); {wake}"),
        "destroy-before-join": fault("misuse", "START OK(pthread_cond_destroy(o)); JOIN", f"{LOCK_HELPER} ready = 1; {wake} {UNLOCK_HELPER}"),
        "destroy-awaited": fault("misuse deadlock", "START OK(pthread_cond_destroy(o)); JOIN", waiting),
        "race": fault("data-race", f"START {LOCK_HELPER} ready = 1; {wake} {UNLOCK_HELPER} JOIN", f"while (!ready) {{ {LOCK_HELPER} {wait} {UNLOCK_HELPER} }}"),
    }
    if "timed" in wait or "clock" in wait:
        faults = {name: it for name, it in faults.items() if name not in ("lost-signal", "never-signalled", "destroy-awaited")}
    return Object(f"cond-{name}", "pthread_cond_t",
                  f"if (users == 1) {{ {LOCK_HELPER} {late} work(); {UNLOCK_HELPER} {wake} }}"
                  f"else if (who == 0) {{ {waiting} }} else {{ {LOCK_HELPER} ready = 1; work(); {wake} {UNLOCK_HELPER} }}",
                  init=init, destroy="OK(pthread_cond_destroy(o));", static=static, zero=zero, faults=faults)


WAIT = "OK(pthread_cond_wait(o, &helper));"
CONDITIONS = [
    condition("signal", WAIT),
    condition("broadcast", WAIT, "OK(pthread_cond_broadcast(o));"),
    condition("shared", WAIT, attribute=SHARED.format("cond"), static=None, zero=False),
    condition("timed", NEVER.format("CLOCK_REALTIME") + "if (pthread_cond_timedwait(o, &helper, &t) && !ready) OK(pthread_cond_wait(o, &helper));"),
    condition("monotonic", NEVER.format("CLOCK_MONOTONIC") + "if (pthread_cond_timedwait(o, &helper, &t) && !ready) OK(pthread_cond_wait(o, &helper));",
              attribute="OK(pthread_condattr_setclock(&a, CLOCK_MONOTONIC));", static=None, zero=False),
    condition("clock", NEVER.format("CLOCK_MONOTONIC") + "if (pthread_cond_clockwait(o, &helper, CLOCK_MONOTONIC, &t) && !ready) OK(pthread_cond_wait(o, &helper));",
              late="assert(pthread_cond_clockwait(o, &helper, CLOCK_MONOTONIC, &past) == ETIMEDOUT);"),
]


def rwlock(name, lock, attribute="", static="PTHREAD_RWLOCK_INITIALIZER", zero=True, more=None):
    init = "OK(pthread_rwlock_init(o, NULL));"
    if attribute:
        init = f"pthread_rwlockattr_t a; OK(pthread_rwlockattr_init(&a)); {attribute} OK(pthread_rwlock_init(o, &a)); OK(pthread_rwlockattr_destroy(&a));"
    unlock = "OK(pthread_rwlock_unlock(o));"
    writing = "OK(pthread_rwlock_wrlock(o));"
    return Object(f"rwlock-{name}", "pthread_rwlock_t",
                  f"OK(pthread_rwlock_rdlock(o)); int seen = count; assert(seen >= 0); {unlock} {lock} work(); {unlock}", init=init,
                  destroy="OK(pthread_rwlock_destroy(o));", static=static, zero=zero,
                  faults={**lock_faults(writing, unlock, "OK(pthread_rwlock_destroy(o));", twice=None),
                          "written-to-read": fault("data-race", f"START OK(pthread_rwlock_rdlock(o)); work(); {unlock} JOIN",
                                                   f"OK(pthread_rwlock_rdlock(o)); work(); {unlock}"),
                          "deadlock-ignored": fault("assertion", f"{writing} {writing}"),
                          "raised": fault("deadlock", f"OK(pthread_rwlock_rdlock(o)); {writing}"), **(more or {})})


RWLOCKS = [
    rwlock("write", "OK(pthread_rwlock_wrlock(o));"),
    rwlock("try", TRY.format("pthread_rwlock_trywrlock(o)")),
    rwlock("timed", NEVER.format("CLOCK_REALTIME") + "if (pthread_rwlock_timedwrlock(o, &t)) OK(pthread_rwlock_wrlock(o));"),
    rwlock("clock", NEVER.format("CLOCK_MONOTONIC") + "if (pthread_rwlock_clockwrlock(o, CLOCK_MONOTONIC, &t)) OK(pthread_rwlock_wrlock(o));"),
    rwlock("shared", "OK(pthread_rwlock_wrlock(o));", SHARED.format("rwlock"), static=None, zero=False),
    rwlock("prefer-writer", "OK(pthread_rwlock_wrlock(o));", "OK(pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP));",
           static="PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP", zero=False),
]


def spin(name, lock, shared="PRIVATE"):
    destroy = "OK(pthread_spin_destroy(o));"
    return Object(f"spin-{name}", "pthread_spinlock_t", f"{lock} work(); OK(pthread_spin_unlock(o));",
                  init=f"OK(pthread_spin_init(o, PTHREAD_PROCESS_{shared}));", destroy=destroy,
                  faults=lock_faults("OK(pthread_spin_lock(o));", "OK(pthread_spin_unlock(o));", destroy))


def barrier(name, attribute=""):
    init = "OK(pthread_barrier_init(o, NULL, users));"
    if attribute:
        init = f"pthread_barrierattr_t a; OK(pthread_barrierattr_init(&a)); {attribute} OK(pthread_barrier_init(o, &a, users)); OK(pthread_barrierattr_destroy(&a));"
    wait = "{ int serial = pthread_barrier_wait(o); assert(serial == 0 || serial == PTHREAD_BARRIER_SERIAL_THREAD); }"
    return Object(f"barrier-{name}", "pthread_barrier_t", f"{LOCK_HELPER} work(); {UNLOCK_HELPER} {wait} assert(count >= users); {wait}", init=init,
                  destroy="OK(pthread_barrier_destroy(o));",
                  faults={"use-after-destroy": fault("misuse", f"OK(pthread_barrier_destroy(o)); {wait}"),
                          "one-too-few": fault("deadlock", f"OK(pthread_barrier_destroy(o)); OK(pthread_barrier_init(o, NULL, 3)); START {wait} JOIN", wait),
                          "destroy-awaited": fault("misuse deadlock", "OK(pthread_barrier_destroy(o)); OK(pthread_barrier_init(o, NULL, 2)); START "
                                                   "OK(pthread_barrier_destroy(o)); JOIN", wait),
                          "race": fault("data-race", f"OK(pthread_barrier_destroy(o)); OK(pthread_barrier_init(o, NULL, 2)); START {wait} work(); JOIN", f"{wait} work();")})


def semaphore(name, wait, post="OK(sem_post(o));", shared=0, first=1):
    lock, unlock, destroy = wait, post, "OK(sem_destroy(o));"
    faults = {"use-after-destroy": fault("misuse", f"{destroy} OK(sem_post(o));"),
              "destroy-before-join": fault("misuse", f"START {destroy} JOIN", "OK(sem_post(o));"),
              "never-posted": fault("deadlock", "while (!sem_trywait(o)) ; START JOIN", "OK(sem_wait(o));")}
    use = f"{lock} work(); {unlock}"
    if first:
        faults["race"] = fault("data-race", f"START {lock} work(); {unlock} JOIN", "work();")
        faults["posted-once-more"] = fault("data-race", f"{unlock} START {lock} work(); {unlock} JOIN", f"{lock} work(); {unlock}")
    else:
        use = f"if (users == 1) {{ {unlock} {lock} work(); }} else if (who == 0) {{ {lock} work(); }} else {{ work(); {unlock} }}"
    return Object(f"sem-{name}", "sem_t", use, init=f"OK(sem_init(o, {shared}, {first}));", destroy=destroy, zero=not first, faults=faults)


OTHERS = [
    spin("lock", "OK(pthread_spin_lock(o));"), spin("try", TRY.format("pthread_spin_trylock(o)")), spin("shared", "OK(pthread_spin_lock(o));", "SHARED"),
    barrier("private"), barrier("shared", SHARED.format("barrier")),
    semaphore("lock", "OK(sem_wait(o));"), semaphore("handoff", "OK(sem_wait(o));", first=0), semaphore("try", TRY.format("sem_trywait(o)")),
    semaphore("timed", NEVER.format("CLOCK_REALTIME") + "if (sem_timedwait(o, &t)) OK(sem_wait(o));"),
    semaphore("clock", NEVER.format("CLOCK_MONOTONIC") + "if (sem_clockwait(o, CLOCK_MONOTONIC, &t)) OK(sem_wait(o));", first=0),
    semaphore("shared", "OK(sem_wait(o));", shared=1),
    Object("sem-named", "sem_t *", "OK(sem_wait(*o)); work(); OK(sem_post(*o));",
           init='char name[40]; snprintf(name, sizeof(name), "/matrix-%d-%p", (int)getpid(), (void *)o);'
                "*o = sem_open(name, O_CREAT | O_EXCL, 0600, 1); assert(*o != SEM_FAILED); OK(sem_unlink(name));",
           destroy="OK(sem_close(*o));",
           faults={"never-posted": fault("deadlock", "START JOIN OK(sem_wait(*o));", "OK(sem_wait(*o));"),
                   "race": fault("data-race", "START OK(sem_wait(*o)); work(); OK(sem_post(*o)); JOIN", "work();")}),
    Object("once", "pthread_once_t", "OK(pthread_once(o, set_up)); assert(up == 1); OK(pthread_once(o, set_up)); assert(up == 1);"
           + LOCK_HELPER + "work();" + UNLOCK_HELPER, init="*o = (pthread_once_t)PTHREAD_ONCE_INIT; up = 0;", static="PTHREAD_ONCE_INIT", zero=True,
           destroy="up = 0;", before="static int up; static void set_up(void) { up++; }",
           faults={"race": fault("data-race", "START OK(pthread_once(o, set_up)); JOIN", "if (up) work();")}),
    Object("key", "pthread_key_t", "assert(!pthread_getspecific(*o)); OK(pthread_setspecific(*o, &count)); assert(pthread_getspecific(*o) == &count);"
           "OK(pthread_setspecific(*o, NULL));" + LOCK_HELPER + "work();" + UNLOCK_HELPER, init="OK(pthread_key_create(o, NULL));",
           destroy="OK(pthread_key_delete(*o));",
           faults={"use-after-destroy": fault("assertion misuse", "OK(pthread_key_delete(*o)); OK(pthread_setspecific(*o, o));")}),
    Object("key-destructor", "pthread_key_t", LOCK_HELPER + "work();" + UNLOCK_HELPER + "OK(pthread_setspecific(*o, mark(*o)));"
           "if (in_main()) { drop(pthread_getspecific(*o)); OK(pthread_setspecific(*o, NULL)); }",
           init="OK(pthread_key_create(o, drop));", destroy="OK(pthread_key_delete(*o)); assert(atomic_load(&marks) == 0);",
           before="static atomic_int marks; static void drop(void *it) { free(it); atomic_fetch_sub(&marks, 1); }"
                  "static void *mark(pthread_key_t key) { atomic_fetch_add(&marks, 1); if (pthread_getspecific(key)) drop(pthread_getspecific(key));"
                  "return malloc(8); } static bool in_main(void) { return pthread_equal(owner, pthread_self()); }",
           faults={"freed-by-the-destructor-too": fault("double-free", "START JOIN", "void *it = mark(*o); OK(pthread_setspecific(*o, it)); free(it);")}),
]


def c11_mutex(name, kind, lock="OK(mtx_lock(o));", **more):
    unlock = "OK(mtx_unlock(o));"
    return Object(f"mtx-{name}", "mtx_t", more.pop("use", f"{lock} work(); {unlock}"), init=f"OK(mtx_init(o, {kind}));", destroy="mtx_destroy(o);", zero=kind == "mtx_plain",
                  faults=lock_faults("OK(mtx_lock(o));", unlock, "mtx_destroy(o);", **more))


HELPER11 = "OK(mtx_lock(&helper_mtx));", "OK(mtx_unlock(&helper_mtx));"


def c11_condition(name, wait, wake):
    waiting = f"{HELPER11[0]} while (!ready) {{ {wait} }} work(); {HELPER11[1]}"
    faults = {"use-after-destroy": fault("misuse", f"cnd_destroy(o); {wake}"),
              "wait-without-lock": fault("misuse", wait)}
    if "timed" not in wait:
        faults["never-signalled"] = fault("deadlock", "START JOIN", waiting)
        faults["lost-signal"] = fault("deadlock", f"START {HELPER11[0]} {wait} {HELPER11[1]} JOIN", wake)
    return Object(f"cnd-{name}", "cnd_t",
                  f"if (users == 1) {{ {HELPER11[0]} assert(cnd_timedwait(o, &helper_mtx, &past) == thrd_timedout); work(); {HELPER11[1]} {wake} }}"
                  f"else if (who == 0) {{ {waiting} }} else {{ {HELPER11[0]} ready = 1; work(); {wake} {HELPER11[1]} }}",
                  init="OK(cnd_init(o));", destroy="cnd_destroy(o);", zero=True, faults=faults)


ATOMIC_LOCK = "while (atomic_exchange(o, 1)) sched_yield();", "atomic_store(o, 0);"
FUTEX = ("static void futex_lock(atomic_int *word) { int seen = 0; if (atomic_compare_exchange_strong(word, &seen, 1)) return;"
         "while (seen = atomic_exchange(word, 2), seen) syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0); }"
         "static void futex_unlock(atomic_int *word) { if (atomic_exchange(word, 0) == 2) syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }"
         "__attribute__((unused)) static void futex_unlock_only(atomic_int *word) { atomic_exchange(word, 0); }")
EVENT = ("static void event_wait(atomic_int *word) { while (!atomic_load(word)) syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0); }"
         "static void event_set(atomic_int *word) { atomic_store(word, 1); syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0); }")
WORKER = "static void *worker(void *it) { (void)it; " + LOCK_HELPER + "work();" + UNLOCK_HELPER + "return &count; }"
WORKER11 = "static int worker(void *it) { (void)it; " + HELPER11[0] + "work();" + HELPER11[1] + "return 7; }"


def thread(name, begin, end, faults=None, kind="pthread_t", before=WORKER):
    """A thread as an object: it is started anew with each use. Uses at the same time have handles of their own: the object is the first's."""
    return Object(f"thread-{name}", kind, f"{kind} other; {kind} *it = who ? &other : o; {begin} {end}", before=before, faults=faults)


CREATE = "OK(pthread_create(it, NULL, worker, NULL));"
C11 = [
    c11_mutex("plain", "mtx_plain"), c11_mutex("try", "mtx_plain", lock=TRY.format("mtx_trylock(o) == thrd_busy")),
    c11_mutex("timed", "mtx_timed", lock=NEVER.format("CLOCK_REALTIME") + "if (mtx_timedlock(o, &t) == thrd_timedout) OK(mtx_lock(o));"),
    c11_mutex("recursive", "mtx_plain | mtx_recursive", use="OK(mtx_lock(o)); OK(mtx_lock(o)); work(); OK(mtx_unlock(o)); OK(mtx_unlock(o));",
              unheld=False, twice=None),
    c11_condition("signal", "OK(cnd_wait(o, &helper_mtx));", "OK(cnd_signal(o));"),
    c11_condition("broadcast", "OK(cnd_wait(o, &helper_mtx));", "OK(cnd_broadcast(o));"),
    c11_condition("timed", NEVER.format("CLOCK_REALTIME") + "if (cnd_timedwait(o, &helper_mtx, &t) == thrd_timedout && !ready) OK(cnd_wait(o, &helper_mtx));", "OK(cnd_signal(o));"),
    Object("tss", "tss_t", "assert(!tss_get(*o)); OK(tss_set(*o, &count)); assert(tss_get(*o) == &count); OK(tss_set(*o, NULL));" + HELPER11[0] + "work();"
           + HELPER11[1], init="OK(tss_create(o, NULL));", destroy="tss_delete(*o);"),
    Object("once-flag", "once_flag", "call_once(o, set_up); assert(up == 1); call_once(o, set_up); assert(up == 1);" + HELPER11[0] + "work();" + HELPER11[1],
           init="*o = (once_flag)ONCE_FLAG_INIT; up = 0;", static="ONCE_FLAG_INIT", zero=True, destroy="up = 0;",
           before="static int up; static void set_up(void) { up++; }",
           faults={"race": fault("data-race", "START call_once(o, set_up); JOIN", "if (up) work();")}),
    thread("joined", CREATE, "void *end; OK(pthread_join(*it, &end)); assert(end == &count);",
           {"joined-twice": fault("misuse", CREATE.replace("it", "o", 1) + "OK(pthread_join(*o, NULL)); OK(pthread_join(*o, NULL));"),
            "race": fault("data-race", CREATE.replace("it", "o", 1) + "work(); OK(pthread_join(*o, NULL));")}),
    thread("tried", CREATE, "while (pthread_tryjoin_np(*it, NULL) == EBUSY) sched_yield();"),
    thread("timed", CREATE, NEVER.format("CLOCK_REALTIME") + "if (pthread_timedjoin_np(*it, NULL, &t)) OK(pthread_join(*it, NULL));"),
    thread("detached", "sem_t done; OK(sem_init(&done, 0, 0)); OK(pthread_create(it, NULL, worker, &done)); OK(pthread_detach(*it));",
           "OK(sem_wait(&done)); OK(sem_destroy(&done));", before=WORKER.replace("return", "OK(sem_post(it)); return")),
    thread("thrd", "assert(thrd_create(it, worker, NULL) == thrd_success);", "int end; OK(thrd_join(*it, &end)); assert(end == 7);",
           {"joined-twice": fault("misuse", "OK(thrd_create(o, worker, NULL)); OK(thrd_join(*o, NULL)); OK(thrd_join(*o, NULL));")}, "thrd_t", WORKER11),
    Object("futex-lock", "atomic_int", "futex_lock(o); work(); futex_unlock(o);", init="atomic_init(o, 0);", zero=True, static="0", before=FUTEX,
           faults={"no-wake": fault("deadlock", "START futex_lock(o); futex_unlock_only(o); JOIN", "futex_lock(o); futex_unlock_only(o);"),
                   "race": fault("data-race", "START futex_lock(o); work(); futex_unlock(o); JOIN", "work();")}),
    Object("futex-event", "atomic_int", "if (users == 1) { event_set(o); event_wait(o); work(); } else if (who == 0) { event_wait(o); work(); }"
           "else { work(); event_set(o); } if (users == 1 || who == 0) atomic_store(o, 0);", init="atomic_init(o, 0);", zero=True, static="0", before=EVENT,
           faults={"never-set": fault("deadlock", "START JOIN", "event_wait(o);"),
                   "set-without-wake": fault("deadlock", "START atomic_store(o, 1); JOIN", "event_wait(o);")}),
    Object("atomic-lock", "atomic_int", f"{ATOMIC_LOCK[0]} work(); {ATOMIC_LOCK[1]}", init="atomic_init(o, 0);", zero=True, static="0",
           faults={"race": fault("data-race", f"START {ATOMIC_LOCK[0]} work(); {ATOMIC_LOCK[1]} JOIN", "work();"),
                   "relaxed": fault("data-race", "START while (atomic_exchange_explicit(o, 1, memory_order_relaxed)) sched_yield(); work();"
                                    "atomic_store_explicit(o, 0, memory_order_relaxed); JOIN",
                                    "while (atomic_exchange_explicit(o, 1, memory_order_relaxed)) sched_yield(); work(); atomic_store_explicit(o, 0, memory_order_relaxed);")}),
    Object("atomic-flag", "atomic_flag", "while (atomic_flag_test_and_set(o)) sched_yield(); work(); atomic_flag_clear(o);", init="atomic_flag_clear(o);",
           zero=True, static="ATOMIC_FLAG_INIT"),
    *(Object(f"atomic-count-{width}", f"_Atomic int{width}_t", "atomic_fetch_add(o, 1);" + LOCK_HELPER + "work(); assert(atomic_load(o) >= 1);" + UNLOCK_HELPER,
             init="atomic_init(o, 0);", zero=True, static="0",
             faults={"lost-update": fault("assertion", "atomic_store(o, 0); START atomic_store(o, atomic_load(o) + 1); JOIN assert(atomic_load(o) == 2);",
                                          "atomic_store(o, atomic_load(o) + 1);")}) for width in (8, 16, 32, 64)),
    Object("atomic-handoff", "atomic_int", "if (users == 1) work(); else if (who == 0) { while (!atomic_load_explicit(o, memory_order_acquire)) ; work();"
           "atomic_store(o, 0); } else { work(); atomic_store_explicit(o, 1, memory_order_release); }", init="atomic_init(o, 0);", zero=True, static="0",
           faults={"relaxed": fault("data-race", "START while (!atomic_load_explicit(o, memory_order_relaxed)) ; work(); JOIN",
                                    "work(); atomic_store_explicit(o, 1, memory_order_relaxed);")}, touches=False),
]


def attributes(name, set_and_get, use):
    """Attributes of other objects are objects, too."""
    return Object(f"attributes-{name}", touches=False, kind=f"pthread_{name}_t", use=f"{LOCK_HELPER} {use} work(); {UNLOCK_HELPER}", destroy=f"OK(pthread_{name}_destroy(o));",
                  init=f"OK(pthread_{name}_init(o)); int set; {set_and_get}")


ATTRIBUTES = [
    attributes("attr", "OK(pthread_attr_setdetachstate(o, PTHREAD_CREATE_JOINABLE)); OK(pthread_attr_getdetachstate(o, &set)); assert(set == PTHREAD_CREATE_JOINABLE);"
               "OK(pthread_attr_setstacksize(o, 1 << 18));", "pthread_t t; OK(pthread_create(&t, o, nothing, NULL)); OK(pthread_join(t, NULL));"),
    attributes("mutexattr", "OK(pthread_mutexattr_settype(o, PTHREAD_MUTEX_RECURSIVE)); OK(pthread_mutexattr_gettype(o, &set)); assert(set == PTHREAD_MUTEX_RECURSIVE);",
               "pthread_mutex_t m; OK(pthread_mutex_init(&m, o)); OK(pthread_mutex_lock(&m)); OK(pthread_mutex_lock(&m)); OK(pthread_mutex_unlock(&m));"
               "OK(pthread_mutex_unlock(&m)); OK(pthread_mutex_destroy(&m));"),
    attributes("condattr", "clockid_t clock; OK(pthread_condattr_setclock(o, CLOCK_MONOTONIC)); OK(pthread_condattr_getclock(o, &clock)); set = clock;"
               "assert(set == CLOCK_MONOTONIC);", "pthread_cond_t c; OK(pthread_cond_init(&c, o)); OK(pthread_cond_destroy(&c));"),
    attributes("rwlockattr", "OK(pthread_rwlockattr_setpshared(o, 1)); OK(pthread_rwlockattr_getpshared(o, &set)); assert(set == 1);",
               "pthread_rwlock_t l; OK(pthread_rwlock_init(&l, o)); OK(pthread_rwlock_rdlock(&l)); OK(pthread_rwlock_unlock(&l)); OK(pthread_rwlock_destroy(&l));"),
    attributes("barrierattr", "OK(pthread_barrierattr_setpshared(o, 1)); OK(pthread_barrierattr_getpshared(o, &set)); assert(set == 1);",
               "pthread_barrier_t b; OK(pthread_barrier_init(&b, o, 1)); assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD); OK(pthread_barrier_destroy(&b));"),
]
ATTRIBUTES[0].before = "static void *nothing(void *it) { return it; }"
OBJECTS = MUTEXES + CONDITIONS + RWLOCKS + OTHERS + C11 + ATTRIBUTES
