/* SPDX-License-Identifier: MIT
 *
 * Members of a run, processes that change its memory at random until they are told to stop, and are killed, or stopped for
 * longer than their lease, meanwhile. In the end the copies of all members are the same; they are what the changes make, in
 * the order in which the memory itself says they were made; what has been confirmed is there once, what has been refused is not;
 * and each member that died has been told of once. Arguments: URL MEMBERS SECONDS SEED KILL-EVERY-MS [forgetful]
 * where a forgetful Redis may lose changes that it has confirmed, but nothing else.
 */
#include "base/random.h"
#include "cluster/store.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LEASE 1500
#define MEMBERS 16
#define CHANGES 200000
#define NUMBERS 20000
#define SCRATCH 65536

/* The memory of the run. */
struct memory {
	uint64_t count, dead_count;
	uint32_t dead[NUMBERS];
	uint32_t order[CHANGES]; /* which changes were made */
	uint8_t scratch[SCRATCH];
};

enum fate { NONE, SENT, CONFIRMED, REFUSED };
enum life { UNKNOWN, MEMBER, DEAD, DEPARTING };
enum phase { WORK, REST, COMPARE };

/* What the processes of this test share, whoever dies. */
static struct shared {
	atomic_uint next, phase, lost, expired, unreachable;
	atomic_uint resting[MEMBERS], compared[MEMBERS];
	atomic_uint number[MEMBERS]; /* of the member that a process is */
	atomic_uchar fate[CHANGES];
	atomic_uchar life[NUMBERS];
	struct memory copies[MEMBERS];
} * shared;

static const char *url;
static uint64_t seed;
static bool forgetful, killing;

static void sleep_ms(unsigned ms)
{
	nanosleep(&(struct timespec){ms / 1000, (long)(ms % 1000) * 1000000}, NULL);
}

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static void take(void *self, const struct mz_change *change)
{
	memcpy((char *)self + change->offset, change->bytes, change->size);
}

/* ---- a change ---- */

struct patch {
	uint32_t at, size;
	uint8_t bytes[200];
};

static size_t patches_of(uint32_t change, struct patch patches[8])
{
	struct mz_random random = {seed * 1000003 + change};
	size_t n = 1 + mz_random_below(&random, 8);
	for (size_t i = 0; i < n; i++) {
		patches[i].size = 1 + mz_random_below(&random, 200);
		patches[i].at = mz_random_below(&random, SCRATCH - patches[i].size);
		for (uint32_t b = 0; b < patches[i].size; b++) patches[i].bytes[b] = (uint8_t)mz_random_word(&random);
	}
	return n;
}

static void add(struct mz_change *changes, size_t *n, struct memory *memory, void *at, const void *bytes, uint32_t size)
{
	memcpy(at, bytes, size);
	changes[(*n)++] = (struct mz_change){(uint64_t)((char *)at - (char *)memory), at, size};
}

/* Makes a change in the copy, and the list of what is changed. */
static size_t make_change(struct memory *memory, uint32_t id, const struct mz_store_dead *dead,
                          struct mz_change *changes)
{
	struct patch patches[8];
	size_t n = 0, count = patches_of(id, patches);
	for (size_t i = 0; i < dead->count; i++) {
		uint32_t member = (uint32_t)dead->members[i];
		add(changes, &n, memory, &memory->dead[memory->dead_count], &member, 4);
		add(changes, &n, memory, &memory->dead_count, &(uint64_t){memory->dead_count + 1}, 8);
	}
	add(changes, &n, memory, &memory->order[memory->count], &id, 4);
	add(changes, &n, memory, &memory->count, &(uint64_t){memory->count + 1}, 8);
	for (size_t i = 0; i < count; i++)
		add(changes, &n, memory, memory->scratch + patches[i].at, patches[i].bytes, patches[i].size);
	return n;
}

/* ---- a member ---- */

struct member {
	struct mz_store *store;
	struct memory memory;
	struct mz_random random;
	unsigned slot;
};

static void give_up(struct member *member, const char *what)
{
	printf("member %u: %s: %s\n", mz_store_member(member->store), what, mz_store_error(member->store)->text);
	fflush(stdout);
	_exit(1);
}

static void join(struct member *member)
{
	memset(&member->memory, 0, sizeof member->memory);
	if (mz_store_join(member->store, &(struct mz_taker){take, &member->memory}) != MZ_STORE_OK)
		give_up(member, "join");
	uint32_t number = mz_store_member(member->store);
	atomic_store(&shared->number[member->slot], number);
	atomic_store(&shared->life[number], MEMBER);
}

/* Joins again, as another member. */
static void begin_anew(struct member *member, enum mz_store_status status)
{
	if (status == MZ_STORE_LOST)
		atomic_fetch_add(&shared->lost, 1);
	else if (status == MZ_STORE_EXPIRED || status == MZ_STORE_FENCED)
		atomic_fetch_add(&shared->expired, 1);
	else
		give_up(member, "a call");
	atomic_store(&shared->life[mz_store_member(member->store)], DEAD);
	join(member);
}

static void die(int signal)
{
	(void)signal;
	raise(SIGKILL);
}

/* Has this process killed after so many microseconds. */
static void die_within(unsigned us)
{
	signal(SIGALRM, die);
	setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = us + 1}}, NULL);
}

static void work(struct member *member)
{
	struct mz_change changes[2 * NUMBERS];
	const struct mz_store_dead *dead;
	enum mz_store_status status = mz_store_enter(member->store, 60000, &dead);
	if (status != MZ_STORE_OK) {
		begin_anew(member, status);
		return;
	}
	uint32_t id = atomic_fetch_add(&shared->next, 1);
	if (id >= CHANGES) _exit(1);
	size_t n = make_change(&member->memory, id, dead, changes);
	if (mz_random_below(&member->random, 8) == 0) sleep_ms(mz_random_below(&member->random, 5));
	if (killing && mz_random_below(&member->random, 200) == 0) raise(SIGKILL); /* with the token */
	atomic_store(&shared->fate[id], SENT);
	if (killing && mz_random_below(&member->random, 50) == 0) die_within(mz_random_below(&member->random, 3000));
	status = mz_store_leave(member->store, changes, n);
	atomic_store(&shared->fate[id], status == MZ_STORE_OK ? CONFIRMED : REFUSED);
	if (status != MZ_STORE_OK) begin_anew(member, status);
}

static void pause_between(struct member *member)
{
	enum mz_store_status status = MZ_STORE_OK;
	if (mz_random_below(&member->random, 4) == 0) sleep_ms(mz_random_below(&member->random, 20));
	if (mz_random_below(&member->random, 8) == 0) status = mz_store_pull(member->store);
	if (status == MZ_STORE_OK && mz_random_below(&member->random, 60) == 0)
		status = mz_store_snapshot(member->store, &member->memory, sizeof member->memory);
	if (status != MZ_STORE_OK && status != MZ_STORE_BUSY) begin_anew(member, status);
}

static void rest(struct member *member)
{
	atomic_store(&shared->resting[member->slot], 1);
	while (atomic_load(&shared->phase) != COMPARE) {
		enum mz_store_status status = mz_store_beat(member->store);
		if (status != MZ_STORE_OK) begin_anew(member, status);
		sleep_ms(LEASE / 10);
	}
}

static void open_store(struct member *member)
{
	struct mz_store_error error;
	struct mz_store_options options = {.timeout = 2000, .patience = 60000};
	member->store = mz_store_open(url, &options, &error);
	if (member->store) return;
	printf("open: %s\n", error.text);
	exit(1);
}

static void run_member(unsigned slot, uint64_t chance)
{
	static struct member member;
	member = (struct member){.slot = slot, .random = {chance}};
	open_store(&member);
	join(&member);
	while (atomic_load(&shared->phase) == WORK) {
		work(&member);
		pause_between(&member);
	}
	rest(&member);
	if (mz_store_pull(member.store) != MZ_STORE_OK) give_up(&member, "the last pull");
	shared->copies[slot] = member.memory;
	atomic_store(&shared->life[mz_store_member(member.store)], DEPARTING);
	if (mz_store_depart(member.store) != MZ_STORE_OK) give_up(&member, "depart");
	atomic_store(&shared->compared[slot], 1);
	mz_store_close(member.store);
	_exit(0);
}

/* ---- who starts and kills them ---- */

struct host {
	pid_t pids[MEMBERS];
	unsigned members, kills, stops;
	struct mz_random random;
};

static void start(struct host *host, unsigned slot)
{
	uint64_t chance = mz_random_word(&host->random);
	fflush(stdout);
	host->pids[slot] = fork();
	if (host->pids[slot] == 0) run_member(slot, chance);
}

/* Replaces a member that has killed itself. Returns false if one has failed. */
static bool replace_killed(struct host *host)
{
	int status;
	for (unsigned slot = 0; slot < host->members; slot++) {
		if (waitpid(host->pids[slot], &status, WNOHANG) != host->pids[slot]) continue;
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) return false;
		atomic_store(&shared->life[atomic_load(&shared->number[slot])], DEAD);
		host->kills++;
		start(host, slot);
	}
	return true;
}

static void strike(struct host *host)
{
	unsigned slot = mz_random_below(&host->random, host->members);
	if (mz_random_below(&host->random, 10) == 0) {
		kill(host->pids[slot], SIGSTOP);
		sleep_ms(LEASE * 3 / 2);
		kill(host->pids[slot], SIGCONT);
		host->stops++;
	} else {
		kill(host->pids[slot], SIGKILL);
	}
}

static bool all(atomic_uint *flags, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!atomic_load(&flags[i])) return false;
	return true;
}

static bool wait_for(struct host *host, atomic_uint *flags)
{
	for (uint64_t until = now() + 60000; !all(flags, host->members); sleep_ms(20))
		if (now() > until || (flags == shared->resting && !replace_killed(host))) return false;
	return true;
}

/* ---- what must be true in the end ---- */

static unsigned failures;

static void check(bool good, const char *what)
{
	printf("%s %s\n", good ? "ok" : "not ok", what);
	failures += !good;
}

static bool is_what_changes_make(const struct memory *memory)
{
	static uint8_t scratch[SCRATCH];
	for (uint64_t i = 0; i < memory->count; i++) {
		struct patch patches[8];
		size_t n = patches_of(memory->order[i], patches);
		for (size_t p = 0; p < n; p++) memcpy(scratch + patches[p].at, patches[p].bytes, patches[p].size);
	}
	return memcmp(scratch, memory->scratch, SCRATCH) == 0;
}

static void check_fates(const struct memory *memory)
{
	static uint8_t times[CHANGES];
	unsigned twice = 0, missing = 0, uncalled = 0, confirmed = 0, doubtful = 0, doubtful_there = 0;
	for (uint64_t i = 0; i < memory->count; i++) twice += times[memory->order[i]]++ > 0;
	for (uint32_t id = 0; id < atomic_load(&shared->next); id++) {
		enum fate fate = shared->fate[id];
		confirmed += fate == CONFIRMED;
		missing += fate == CONFIRMED && !times[id];
		uncalled += (fate == REFUSED || fate == NONE) && times[id];
		doubtful += fate == SENT;
		doubtful_there += fate == SENT && times[id];
	}
	printf("%u changes confirmed, %u of members that died before they knew (%u are there); %u lost\n", confirmed,
	       doubtful, doubtful_there, missing);
	check(twice == 0, "no change is made twice");
	check(missing == 0 || forgetful, "all changes that were confirmed are there");
	check(uncalled == 0, "no change that was refused, or not sent, is there");
}

static void check_dead(const struct memory *memory, unsigned kills)
{
	static uint8_t times[NUMBERS];
	unsigned twice = 0, untold = 0, alive = 0, unknown = 0;
	for (uint64_t i = 0; i < memory->dead_count; i++) twice += times[memory->dead[i]]++ > 0;
	for (uint32_t member = 1; member < NUMBERS; member++) {
		enum life life = shared->life[member];
		untold += life == DEAD && !times[member];
		alive += (life == MEMBER || life == DEPARTING) && times[member];
		unknown += life == UNKNOWN && times[member];
	}
	printf("%llu members were told of as dead\n", (unsigned long long)memory->dead_count);
	check(twice == 0, "nobody is told of twice");
	check(untold == 0 || forgetful, "everybody who died is told of");
	/* a forgetful Redis gives the number of a member that it has forgotten to another one */
	check(alive == 0 || forgetful, "nobody alive is told of");
	check(unknown <= kills || forgetful, "nobody else is told of");
}

/* Makes changes for as long as a lease, so that all that died are told of. */
static void tell_rest(struct member *member)
{
	for (uint64_t until = now() + 2 * LEASE; now() < until; sleep_ms(LEASE / 5)) work(member);
}

static void compare(struct host *host, struct member *member)
{
	bool same = true;
	static struct member fresh;
	if (mz_store_pull(member->store) != MZ_STORE_OK) give_up(member, "the last pull");
	for (unsigned i = 0; i < host->members; i++)
		same = same && memcmp(&shared->copies[i], &member->memory, sizeof member->memory) == 0;
	check(same, "all copies are the same");
	open_store(&fresh);
	mz_store_watch(fresh.store, &(struct mz_taker){take, &fresh.memory});
	check(memcmp(&fresh.memory, &member->memory, sizeof fresh.memory) == 0, "somebody new gets the same");
	mz_store_close(fresh.store);
	check(is_what_changes_make(&member->memory), "the copies are what the changes make");
	check_fates(&member->memory);
	check_dead(&member->memory, host->kills);
	check(mz_store_log_size(member->store) < 4 << 20, "the log is short");
	check(forgetful || atomic_load(&shared->lost) == 0, "nobody has seen what Redis has forgotten");
	printf("%u killed, %u stopped, %u joined again after they were taken for dead, %u after Redis had forgotten\n",
	       host->kills, host->stops, atomic_load(&shared->expired), atomic_load(&shared->lost));
}

int main(int argc, char **argv)
{
	static struct host host;
	static struct member member;
	if (argc < 6) return 2;
	url = argv[1];
	host.members = (unsigned)atoi(argv[2]);
	uint64_t until = now() + 1000 * (uint64_t)atoi(argv[3]);
	seed = strtoull(argv[4], NULL, 10);
	unsigned kill_every = (unsigned)atoi(argv[5]);
	forgetful = argc > 6;
	killing = kill_every > 0;
	host.random.state = seed;
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	open_store(&member);
	if (mz_store_begin(member.store, (struct mz_bytes){(const uint8_t *)"test", 4}, sizeof(struct memory), LEASE) !=
	    MZ_STORE_OK)
		give_up(&member, "begin");
	for (unsigned slot = 0; slot < host.members; slot++) start(&host, slot);
	bool good = true;
	while (now() < until && good) {
		sleep_ms(kill_every ? 1 + mz_random_below(&host.random, 2 * kill_every) : 100);
		if (kill_every) strike(&host);
		good = replace_killed(&host);
	}
	killing = false;
	atomic_store(&shared->phase, REST);
	good = good && wait_for(&host, shared->resting);
	check(good, "members come to rest");
	if (!good) {
		for (unsigned slot = 0; slot < host.members; slot++) kill(host.pids[slot], SIGKILL);
		return 1;
	}
	member.slot = MEMBERS - 1;
	join(&member);
	tell_rest(&member);
	atomic_store(&shared->phase, COMPARE);
	check(wait_for(&host, shared->compared), "members come to their ends");
	compare(&host, &member);
	mz_store_close(member.store);
	return failures > 0;
}
