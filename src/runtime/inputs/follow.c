/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/follow.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/shadow.h"
#include "runtime/inputs/written.h"

/* An access whose caller may not be instrumented. */
struct kept {
	uintptr_t address;
	size_t size; /* 0: there is none */
	uintptr_t caller;
	bool reads, writes;
	bool found; /* a read: there were shadows */
};

/* A write and, before it, the read of a copy. */
static struct kept last, before;
static bool ignores_reads;

static bool covers(const struct kept *kept, uintptr_t address)
{
	return address - kept->address < kept->size;
}

/* Treats the access as one of code that carries no shadows: reports shadows that it read, and ends those that it wrote
 * over. */
static void settle(struct kept *kept)
{
	if (!kept->size) return;
	if (kept->found) mz_inputs_lose(MZ_SYM_LOST_READ, NULL, kept->caller);
	if (kept->writes) mz_shadow_fill(kept->address, kept->size, 0);
	kept->size = 0;
}

void mz_follow_end(void)
{
	settle(&before);
	settle(&last);
}

void mz_follow(uintptr_t address, size_t size, enum mz_follow_kind kind, uintptr_t caller)
{
	bool copies = kind == MZ_FOLLOW_WRITE && last.size && !last.writes;
	settle(&before);
	if (copies)
		before = last;
	else
		settle(&last);
	/* A hook may tell of a write when it has been made: whether there are shadows is looked up while the memory is as
	 * it was read. */
	bool found = (kind & MZ_FOLLOW_READ) && !ignores_reads && mz_shadow_is_anywhere(address, size);
	last =
	    (struct kept){address, size, mz_lost_place(caller), kind & MZ_FOLLOW_READ, kind & MZ_FOLLOW_WRITE, found};
}

void mz_follow_drop(void)
{
	last.size = 0;
}

void mz_follow_reads(bool tells)
{
	mz_follow_end();
	ignores_reads = !tells;
}

void mz_follow_output(int fd)
{
	if (last.size && last.found) mz_written(fd, last.caller);
	mz_follow_drop();
}

void mz_follow_printed(int fd, uintptr_t caller)
{
	mz_follow_end();
	mz_written(fd, mz_lost_place(caller));
}

void mz_follow_looked_name(int folder, const char *path, uintptr_t caller)
{
	mz_written_looked_name(folder, path, mz_lost_place(caller));
}

void mz_follow_looked(int fd, uintptr_t caller)
{
	mz_written_looked(fd, mz_lost_place(caller));
}

/* Marks the access as one of instrumented code, which deals with the shadows itself: settle() will do nothing to them.
 * One load or store of a part of the bytes is enough to tell. */
static void take(struct kept *kept)
{
	kept->found = kept->writes = false;
}

/* Instrumented code reports an update (an atomic read and write) twice, first here and then to mz_follow_stored(): the
 * write is still open after this call. */
void mz_follow_loaded(uintptr_t address)
{
	if (last.reads && covers(&last, address)) {
		settle(&before);
		if (last.writes)
			last.found = false;
		else
			take(&last);
	} else {
		mz_follow_end();
	}
}

void mz_follow_stored(uintptr_t address)
{
	if (last.writes && covers(&last, address)) take(&last);
	mz_follow_end();
}

void mz_follow_copied(uintptr_t to, uintptr_t from)
{
	if (before.reads && covers(&before, from)) take(&before);
	if (!last.writes && covers(&last, from))
		take(&last); /* the copy went to a variable that no other thread can see: that write has no hook */
	mz_follow_stored(to);
}

void mz_follow_reset(void)
{
	last.size = before.size = 0;
	ignores_reads = false;
}
