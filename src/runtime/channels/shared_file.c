/* SPDX-License-Identifier: MIT */
#include "runtime/channels/shared_file.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include "trace/channel.h"
#include <errno.h>
#include <limits.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DESCRIPTORS 4096 /* descriptors from this number on are not followed */
#define LOCKS 64
#define NOT_SHARED UINT32_MAX
/* Stands for the thread that opened a file, if no thread did: standard input, and streams that are not followed. */
#define OPENED_INPUT 0xfffe
#define OPENED_UNKNOWN 0xffff
#define OPENING_LOCK (1UL << 31) /* in the number of a position: the lock of its stream */

/* A file that the program has named, in this or an earlier execution. */
struct file {
	char name[MZ_SESSION_FILE_NAME]; /* the same in every process */
	uint32_t number;                 /* its number on the session's list, or NOT_SHARED */
	/* the execution that the members below are of */
	uint32_t generation;
	uint32_t user;
	bool several; /* more than one thread uses the file */
	unsigned uses, mapped;
};

/* A name that was made at random, and what it stands for. */
struct alias {
	char path[PATH_MAX];
	char name[MZ_SESSION_FILE_NAME];
};

struct opening {
	struct file *file; /* NULL: nothing that is followed */
	uint64_t object;   /* the object that stands for its position */
	/* of the position: a thread has used it (`user` is the first); other threads have; a thread has read there */
	bool used, several, read;
	uint32_t user;
};

/* A stream that is locked by flockfile(): how often. */
struct stream_lock {
	FILE *stream;
	uint64_t object;
	unsigned count;
};

static struct file **files;
static size_t nfiles, files_capacity;
static struct alias **aliases;
static size_t naliases, aliases_capacity;
static struct opening openings[DESCRIPTORS];
static int nopenings; /* no descriptor from here on was opened in this execution */
static struct stream_lock locks[LOCKS];
static size_t nlocks;

/* ---- names ---- */

static const struct alias *alias_of(const char *path)
{
	for (size_t i = 0; i < naliases; i++)
		if (strcmp(aliases[i]->path, path) == 0) return aliases[i];
	return NULL;
}

/* Shortens a path to a name; long ones end with a hash, which tells them apart. */
static void shorten(char name[MZ_SESSION_FILE_NAME], const char *path)
{
	size_t length = strlen(path);
	if (length < MZ_SESSION_FILE_NAME) {
		MZ_REAL(strcpy)(name, path);
		return;
	}
	struct mz_key hash = mz_hash_bytes(path, length, (struct mz_key){0});
	snprintf(name, MZ_SESSION_FILE_NAME, "%016lx.../%.200s", (unsigned long)hash.low, path + length - 200);
}

static uint32_t listed(const char *name)
{
	const struct mz_session *session = mz_rt.session;
	for (uint32_t i = 0; i < session->learned.nfiles; i++)
		if (strcmp(session->learned.files[i], name) == 0) return i;
	return NOT_SHARED;
}

static struct file *find_named(const char *name)
{
	for (size_t i = 0; i < nfiles; i++)
		if (strcmp(files[i]->name, name) == 0) return files[i];
	files = mz_pointers_add(files, &files_capacity, nfiles, sizeof **files);
	struct file *file = files[nfiles++];
	MZ_REAL(strcpy)(file->name, name);
	file->number = listed(name);
	return file;
}

static struct file *find_by_path(const char *path)
{
	char resolved[PATH_MAX], name[MZ_SESSION_FILE_NAME];
	struct stat status;
	if (!mz_files_resolve(path, resolved)) return NULL;
	if (stat(resolved, &status) == 0 && !S_ISREG(status.st_mode)) return NULL;
	const struct alias *alias = alias_of(resolved);
	shorten(name, alias ? alias->name : resolved);
	return find_named(name);
}

/* Returns the file of one without a name, known by the thread that made it and its number among the files of that
 * thread. */
static struct file *find_nameless(const struct mz_fiber *self)
{
	char name[MZ_SESSION_FILE_NAME];
	snprintf(name, sizeof name, "temporary file (%u.%u)", self->index, self->counts.openings);
	return find_named(name);
}

/* The file is known by the template, the thread that made it, and its number among the files of that thread. */
void mz_shared_file_named(struct mz_fiber *self, const char *path, const char *from)
{
	char resolved[PATH_MAX], template[PATH_MAX];
	if (!mz_files_resolve(path, resolved) || alias_of(resolved) || !mz_files_resolve(from, template)) return;
	aliases = mz_pointers_add(aliases, &aliases_capacity, naliases, sizeof **aliases);
	struct alias *alias = aliases[naliases++];
	MZ_REAL(strcpy)(alias->path, resolved);
	size_t length = strlen(template), room = MZ_SESSION_FILE_NAME - 32;
	snprintf(alias->name, sizeof alias->name, "%s (%u.%u)", template + (length > room ? length - room : 0),
	         self->index, self->counts.openings);
}

/* ---- whether threads share it ---- */

static void share(struct file *file)
{
	struct mz_session *session = mz_rt.session;
	if (session->learned.nfiles == MZ_SESSION_FILES) {
		mz_uncontrolled(MZ_UNCONTROLLED_SHARED_FILE);
		return;
	}
	file->number = session->learned.nfiles;
	MZ_REAL(strcpy)(session->learned.files[session->learned.nfiles++], file->name);
	mz_rt.execution.must_restart_search = true;
}

/* Notes a use of a position. Reports whether what threads read depends on who came first: one of them read there, and
 * another moved it. */
static bool note_position(const struct mz_fiber *self, uint64_t position, unsigned use)
{
	struct opening *opening = openings;
	if (!position || !(use & MZ_FILE_MOVES) || (use & MZ_FILE_CLOSES)) return false;
	while (opening->object != position) opening++; /* duplicates of a descriptor share one position */
	if (!opening->used) opening->user = self->index;
	opening->used = true;
	opening->several |= opening->user != self->index;
	opening->read |= (use & MZ_FILE_READS) != 0;
	return opening->several && opening->read;
}

static void note_use(const struct mz_fiber *self, struct file *file, uint64_t position, unsigned use)
{
	if (file->generation != mz_rt.generation) {
		file->generation = mz_rt.generation;
		file->user = self->index;
		file->several = false;
		file->uses = file->mapped = 0;
	}
	file->uses |= use;
	if (file->user != self->index) file->several = true;
	if (file->mapped && (use & (MZ_FILE_READS | MZ_FILE_WRITES))) mz_uncontrolled(MZ_UNCONTROLLED_MAPPED_FILE);
	bool both = (file->uses & MZ_FILE_READS) && (file->uses & MZ_FILE_WRITES);
	bool depends = note_position(self, position, use) || (both && file->several);
	if (!depends || mz_rt.mode.follows_schedule || mz_rt.mode.replaying) return;
	if (mz_rt.mode.searches_states)
		mz_uncontrolled(MZ_UNCONTROLLED_SHARED_FILE);
	else
		share(file);
}

/* ---- steps ---- */

/* The position in a file, as an object: `who` opened it, as his n-th. */
static uint64_t position_of(uint32_t who, uint64_t n)
{
	return mz_object_in(MZ_SPACE_OPENING, (uint64_t)who << 32 | n);
}

static struct mz_access access_to(uint64_t object, bool writes)
{
	return (struct mz_access){.object = object, .mask = 0xff, .kind = writes ? MZ_WRITE : MZ_READ};
}

static void step(struct mz_fiber *self, const struct file *file, uint64_t position, unsigned use, uintptr_t caller)
{
	bool writes = use & MZ_FILE_WRITES;
	enum mz_op op = writes ? MZ_OP_WRITE_FILE : MZ_OP_READ_FILE;
	uint16_t n = 0;
	int error = errno;
	mz_spin_forget(self);
	struct mz_access *accesses = mz_accesses(self);
	bool moves = use & MZ_FILE_MOVES,
	     touches = (use & (MZ_FILE_READS | MZ_FILE_WRITES)) && !(use & MZ_FILE_BUFFERED);
	if (touches || !moves) {
		accesses[n] = access_to(mz_object_in(MZ_SPACE_FILE, file->number), writes);
		accesses[n++].is_io = true;
	}
	if (moves) accesses[n++] = access_to(position, true);
	const struct mz_operation operation = mz_operation(op, n);
	mz_visible(self, operation, caller);
	mz_commit(self, operation);
	errno = error;
}

static void use_file(struct mz_fiber *self, struct file *file, uint64_t position, unsigned use, uintptr_t caller)
{
	if (file->number != NOT_SHARED && !mz_rt.mode.searches_states && !mz_rt.execution.must_restart_search)
		step(self, file, position, use, caller);
	else if (file->number == NOT_SHARED)
		note_use(self, file, position, use);
}

static struct opening *opening_of(int fd)
{
	return fd >= 0 && fd < nopenings && openings[fd].file ? &openings[fd] : NULL;
}

static void use_descriptor(struct mz_fiber *self, int fd, unsigned use, uintptr_t caller)
{
	const struct opening *opening = opening_of(fd);
	if (use & MZ_FILE_MOVES) mz_files_moved(fd);
	if (opening) use_file(self, opening->file, opening->object, use, caller);
}

/* Tells of a call that finds out what is in a file, or where in the file it is. */
static void look(int fd, unsigned use, uintptr_t caller)
{
	bool looks = (use & (MZ_FILE_READS | MZ_FILE_MOVES)) && !(use & (MZ_FILE_WRITES | MZ_FILE_CLOSES));
	if (looks && __mz_sym_active) mz_follow_looked(fd, caller);
}

void mz_shared_file_use(struct mz_fiber *self, int fd, unsigned use, uintptr_t caller)
{
	look(fd, use, caller);
	use_descriptor(self, fd, use, caller);
}

void mz_shared_file_use_name(struct mz_fiber *self, const char *path, unsigned use, uintptr_t caller)
{
	int error = errno;
	struct file *file = find_by_path(path);
	errno = error;
	if (file) use_file(self, file, 0, use, caller);
}

/* ---- descriptors ---- */

void mz_shared_file_opened(struct mz_fiber *self, int fd, const char *path)
{
	if (fd < 0 || fd >= DESCRIPTORS) return;
	int error = errno;
	for (; nopenings <= fd; nopenings++) openings[nopenings] = (struct opening){0};
	uint64_t object = position_of(self->index, self->counts.openings++ & (OPENING_LOCK - 1));
	openings[fd] = (struct opening){path ? find_by_path(path) : find_nameless(self), object};
	errno = error;
}

void mz_shared_file_duplicated(int fd, int to)
{
	if (to < 0 || to >= DESCRIPTORS || fd == to) return;
	for (; nopenings <= to; nopenings++) openings[nopenings] = (struct opening){0};
	const struct opening *opening = opening_of(fd);
	openings[to] = opening ? *opening : (struct opening){0};
}

void mz_shared_file_renamed(const char *from, const char *to)
{
	int error = errno;
	const struct file *old = find_by_path(from);
	struct file *new = find_by_path(to);
	errno = error;
	for (int i = 0; old && i < nopenings; i++)
		if (openings[i].file == old) openings[i].file = new;
}

/* Counts files that are mapped more than once, or used by calls too: one mapping is memory like any other, but what is
 * written elsewhere is not seen in it. */
void mz_shared_file_mapped(struct mz_fiber *self, int fd)
{
	const struct opening *opening = opening_of(fd);
	if (!opening) return;
	note_use(self, opening->file, 0, 0);
	if (opening->file->mapped++ || opening->file->uses) mz_uncontrolled(MZ_UNCONTROLLED_MAPPED_FILE);
}

void mz_shared_file_closed(int fd)
{
	if (fd >= 0 && fd < nopenings) openings[fd] = (struct opening){0};
}

/* Standard input, if that is a file, or an input that is explored; else NULL. */
static struct file *find_input(void)
{
	if (mz_rt.session->configuration.symbolic_stdin) return find_named("standard input");
	struct stat status;
	char path[PATH_MAX] = "";
	if (fstat(0, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
	ssize_t length = MZ_REAL(readlink)("/proc/self/fd/0", path, sizeof path - 1);
	return length > 0 && stat(path, &status) == 0 ? find_by_path(path) : NULL;
}

void mz_shared_files_reset(void)
{
	static bool known;
	static struct file *input;
	if (!known) input = find_input();
	known = true;
	nopenings = 0;
	if (input) openings[nopenings++] = (struct opening){.file = input, .object = position_of(OPENED_INPUT, 0)};
	nlocks = 0;
}

/* ---- streams ---- */

static struct stream_lock *lock_of(const FILE *stream)
{
	for (size_t i = 0; i < nlocks; i++)
		if (locks[i].stream == stream) return &locks[i];
	return NULL;
}

/* Waits until no other thread has the stream locked. */
static void wait_for_lock(struct mz_fiber *self, FILE *stream, uintptr_t caller)
{
	const struct stream_lock *lock = lock_of(stream);
	if (!lock || mz_lock_owner(lock->object) == self) return;
	mz_lock_acquire(self, lock->object, caller);
	mz_lock_release(self, lock->object, caller);
}

void mz_shared_file_use_stream(struct mz_fiber *self, FILE *stream, unsigned use, uintptr_t caller)
{
	mz_caller_deepens();
	if (nlocks) wait_for_lock(self, stream, caller);
	look(fileno_unlocked(stream), use, caller);
	if (nopenings) use_descriptor(self, fileno_unlocked(stream), use | MZ_FILE_MOVES, caller);
}

unsigned mz_stream_writes(FILE *stream, size_t size)
{
	size_t room = __fbufsize(stream); /* 0: it has no buffer yet, and will get one of its file's block size */
	bool fits = !__flbf(stream) && __fpending(stream) + size <= (room ? room : 512);
	return MZ_FILE_WRITES | (fits ? MZ_FILE_BUFFERED : 0);
}

/* Returns the object of a stream's lock, known by the position of what is open or by the stream's number: addresses of
 * streams differ from execution to execution. */
static uint64_t lock_object(FILE *stream)
{
	int fd = fileno_unlocked(stream);
	const struct opening *opening = opening_of(fd);
	uint64_t number = opening ? opening->object : position_of(OPENED_UNKNOWN, (uint32_t)fd);
	return number | OPENING_LOCK;
}

static struct stream_lock *make_lock(FILE *stream)
{
	struct stream_lock *lock = lock_of(stream);
	if (lock) return lock;
	if (nlocks == LOCKS) mz_unsupported("it locks more streams than can be followed");
	locks[nlocks] = (struct stream_lock){stream, lock_object(stream), 0};
	return &locks[nlocks++];
}

void mz_stream_lock(struct mz_fiber *self, FILE *stream, uintptr_t caller)
{
	struct stream_lock *lock = make_lock(stream);
	if (mz_lock_owner(lock->object) != self) mz_lock_acquire(self, lock->object, caller);
	lock->count++;
}

bool mz_stream_try(struct mz_fiber *self, FILE *stream, uintptr_t caller)
{
	struct stream_lock *lock = make_lock(stream);
	if (mz_lock_owner(lock->object) != self && !mz_lock_try(self, lock->object, caller)) return false;
	lock->count++;
	return true;
}

void mz_stream_unlock(struct mz_fiber *self, FILE *stream, uintptr_t caller)
{
	struct stream_lock *lock = make_lock(stream);
	if (mz_lock_owner(lock->object) == self && lock->count && --lock->count) return;
	mz_lock_release(self, lock->object, caller);
}

bool mz_shared_files_is_used(void)
{
	return nlocks > 0;
}

void mz_shared_files_store(struct mz_state *state)
{
	mz_state_put(state, &nlocks, sizeof nlocks);
	mz_state_put(state, locks, nlocks * sizeof *locks);
}

void mz_shared_files_load(struct mz_state *state)
{
	nlocks = 0;
	if (!state) return;
	mz_state_get(state, &nlocks, sizeof nlocks);
	mz_state_get(state, locks, nlocks * sizeof *locks);
}

/* A sum, so that the order in which streams were first locked does not matter. */
void mz_shared_files_identity(struct mz_state *state)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < nlocks; i++)
		if (locks[i].count) sum += mz_hash2(locks[i].object, locks[i].count);
	if (sum) mz_state_put(state, &sum, sizeof sum);
}
