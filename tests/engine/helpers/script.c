/* SPDX-License-Identifier: MIT */
#include "script.h"
#include <stdlib.h>

void *script_checked(void *block)
{
	if (!block) abort();
	return block;
}

void script_init(struct script *script, uint32_t nthreads, uint32_t nwords, uint32_t nmutexes, uint32_t nconditions)
{
	*script =
	    (struct script){.nthreads = nthreads, .nwords = nwords, .nmutexes = nmutexes, .nconditions = nconditions};
	script->threads = script_checked(calloc(nthreads, sizeof *script->threads));
	for (uint32_t t = 0; t < nthreads; t++) script->threads[t].started = true;
}

void script_share(struct script *script, uint32_t nlocks, uint32_t nsemaphores, uint32_t value, uint32_t nbarriers,
                  uint32_t parties)
{
	script->nlocks = nlocks;
	script->nsemaphores = nsemaphores;
	script->value = value;
	script->nbarriers = nbarriers;
	script->parties = parties;
}

void script_release(struct script *script)
{
	for (uint32_t t = 0; t < script->nthreads; t++) free(script->threads[t].code);
	free(script->threads);
}

size_t script_add(struct script *script, uint32_t t, struct script_instruction instruction)
{
	struct script_thread *thread = &script->threads[t];
	if (thread->length == thread->capacity) {
		thread->capacity = thread->capacity ? 2 * thread->capacity : 8;
		thread->code = script_checked(realloc(thread->code, thread->capacity * sizeof *thread->code));
	}
	if (instruction.kind == SCRIPT_START) script->threads[instruction.object].started = false;
	thread->code[thread->length++] = instruction;
	return thread->length - 1;
}

static const char *const kind_names[] = {
    "load",         "store",         "add",      "cas",         "exchange",      "or",
    "and",          "access",        "lock",     "unlock",      "trylock",       "lock-alone",
    "unlock-alone", "trylock-alone", "announce", "lock-shared", "unlock-shared", "trylock-shared",
    "take",         "trytake",       "post",     "send",        "pass",          "trypass",
    "poll",         "arrive",        "wait",     "timed wait",  "signal",        "broadcast",
    "choose",       "branch",        "yield",    "start",       "join",          "unless",
    "repeat",       "until",         "jump",     "assert",      "peek",          "poke",
    "section"};

void script_print(const struct script *script, FILE *out)
{
	for (uint32_t t = 0; t < script->nthreads; t++) {
		fprintf(out, "thread %u%s\n", t, script->threads[t].started ? "" : " (started by another)");
		for (size_t n = 0; n < script->threads[t].length; n++) {
			const struct script_instruction *i = &script->threads[t].code[n];
			fprintf(out, "\t%zu %s%s %u mask %02x value %llu expected %llu other %u access %u\n", n,
			        i->plain ? "plain " : "", kind_names[i->kind], i->object, i->mask,
			        (unsigned long long)i->value, (unsigned long long)i->expected, i->other, i->access);
		}
	}
}
