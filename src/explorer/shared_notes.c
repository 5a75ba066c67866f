/* SPDX-License-Identifier: MIT */
#include "explorer/shared_notes.h"
#include <stddef.h>

#ifndef PAGE_NOTES
#define PAGE_NOTES 1023
#endif

struct mz_notes_page {
	struct mz_notes_page *next;
	uint64_t first; /* the number of its first note */
	struct mz_note notes[PAGE_NOTES];
};

/* ---- reading ---- */

/* In a trunk that is linked, notes of other machines may be on their way. */
static const struct mz_note *next(void *self, bool quiet)
{
	struct mz_notes_reader *reader = self;
	const struct mz_trunk_notes *notes = mz_trunk_notes(reader->shared);
	if (!quiet && mz_trunk_is_linked(reader->shared)) return NULL;
	if (reader->read == __atomic_load_n(&notes->count, __ATOMIC_ACQUIRE)) return NULL;
	if (!reader->page)
		reader->page = notes->first;
	else if (reader->read - reader->page->first == PAGE_NOTES)
		reader->page = reader->page->next;
	return &reader->page->notes[reader->read++ - reader->page->first];
}

/* ---- adding ---- */

static void lock(void *self)
{
	mz_trunk_enter(((struct mz_notes_reader *)self)->shared);
}

static void unlock(void *self)
{
	mz_trunk_exit(((struct mz_notes_reader *)self)->shared);
}

/* Returns the page of the next note, which may be a new one. The page is the last one as soon as `last` says so: what a
 * process that is killed before that has done is done again. */
static struct mz_notes_page *page_for_next(struct mz_shared_trunk *shared, struct mz_trunk_notes *notes)
{
	struct mz_notes_page *last = notes->last;
	if (last && notes->count - last->first < PAGE_NOTES) return last;
	struct mz_notes_page *page = mz_trunk_take_memory(shared, sizeof *page);
	if (!page) return NULL;
	page->first = notes->count;
	struct mz_notes_page **link = last ? &last->next : &notes->first;
	*link = page;
	mz_trunk_touch(shared, link, sizeof *link);
	mz_trunk_touch(shared, page, offsetof(struct mz_notes_page, notes));
	__atomic_store_n(&notes->last, page, __ATOMIC_RELEASE);
	return page;
}

static bool add(void *self, const struct mz_note *note)
{
	struct mz_shared_trunk *shared = ((struct mz_notes_reader *)self)->shared;
	struct mz_trunk_notes *notes = mz_trunk_notes(shared);
	struct mz_notes_page *page = page_for_next(shared, notes);
	if (!page) return false;
	struct mz_note *place = &page->notes[notes->count - page->first];
	*place = *note;
	mz_trunk_touch(shared, place, sizeof *place);
	__atomic_store_n(&notes->count, notes->count + 1, __ATOMIC_RELEASE);
	return true;
}

struct mz_notes mz_shared_notes(struct mz_notes_reader *reader, struct mz_shared_trunk *shared)
{
	*reader = (struct mz_notes_reader){.shared = shared};
	return (struct mz_notes){reader, next, lock, unlock, add};
}
