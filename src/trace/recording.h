/* SPDX-License-Identifier: MIT
 *
 * What a replayed execution leaves behind for the reports: a stream of records, addresses not yet resolved to names.
 * The runtime writes it in a fresh process, the supervisor reads it. The stream never leaves the machine it was made
 * on, so it consists of native structs and has no version. Each record starts with its type and its whole size in bytes
 * (a multiple of 8); what follows the struct is described beside it.
 */
#ifndef MZ_TRACE_RECORDING_H
#define MZ_TRACE_RECORDING_H

#include "trace/event.h"

#define MZ_RECORD_FRAMES 16 /* return addresses kept per place, innermost first */

enum mz_record_type {
	MZ_RECORD_MODULE = 1, /* a loaded object that is part of the program or one of its libraries */
	MZ_RECORD_THREAD,     /* a thread was created */
	MZ_RECORD_STEP,       /* a visible operation was executed */
	MZ_RECORD_FINDING,    /* something is wrong */
	MZ_RECORD_DETAIL,     /* a line that belongs to the finding before it */
	MZ_RECORD_BLOCK,      /* a heap block that a step or finding mentions */
	MZ_RECORD_END,        /* the execution is over */
	MZ_RECORD_INPUT,      /* the program has marked an object as an input */
};

struct mz_record {
	uint32_t type;
	uint32_t size;
};

struct mz_record_module {
	struct mz_record head;
	uint64_t base;  /* load bias: run-time address minus address in the file */
	uint64_t start; /* lowest and, exclusively, highest address it is mapped at */
	uint64_t end;
	/* then: path, NUL-terminated, padded */
};

struct mz_record_thread {
	struct mz_record head;
	uint32_t thread;
	uint32_t parent;  /* MZ_NO_THREAD for main */
	uint32_t nth;     /* the parent's n-th child, from 1 */
	uint32_t nframes; /* number of frames of the call that created the thread */
	uint64_t entry;   /* address of its function */
	uint64_t stack_low;
	uint64_t stack_high;
	/* then: frames */
};

struct mz_record_step {
	struct mz_record head;
	uint32_t index; /* 0 for the first step of the execution */
	uint32_t thread;
	uint32_t choice;
	uint32_t alternatives;
	uint16_t op;        /* enum mz_op */
	uint8_t kind;       /* enum mz_access_kind: what it turned out to be */
	uint8_t preemption; /* the thread that ran before was still enabled */
	uint32_t length;    /* bytes touched at `address` */
	uint64_t address;   /* address of the object; 0 if the step touches none */
	uint64_t value;     /* what was read or written, where that fits */
	uint32_t has_value;
	uint32_t nframes;
	/* then: frames */
};

struct mz_record_finding {
	struct mz_record head;
	uint16_t kind; /* enum mz_finding_kind */
	uint16_t unused;
	uint32_t thread;  /* or MZ_NO_THREAD */
	uint32_t step;    /* how many steps had been executed */
	uint32_t line;    /* of `file`, when the program itself named the place (assert); else 0 */
	uint64_t address; /* the object concerned, or 0 */
	uint64_t length;
	uint32_t nframes;       /* where it happened */
	uint32_t other_nframes; /* the other place: the racing access, the free, the first free */
	uint32_t other_thread;  /* the thread at the other place, or MZ_NO_THREAD */
	uint32_t message_size;  /* with its NUL */
	uint32_t file_size;     /* with its NUL; 0 if none */
	uint32_t other_size;    /* what the other place did ("write of 4 bytes"), with its NUL; 0 if none */
	                        /* then: frames, other frames (8 bytes each), message, file, other; padded */
};

struct mz_record_detail {
	struct mz_record head;
	uint32_t thread; /* the line is about this thread, or MZ_NO_THREAD */
	uint32_t nframes;
	uint64_t address; /* an object to be named at the end of the line, or 0 */
	uint64_t length;
	/* then: frames, text (NUL-terminated), padded */
};

struct mz_record_block {
	struct mz_record head;
	uint64_t address;
	uint64_t length;
	uint32_t thread; /* the thread that allocated the block */
	uint32_t nframes;
	/* then: frames */
};

/* A function that was running: where it goes on, and its registers then. */
struct mz_record_frame {
	uint64_t code; /* the return address of the call that it made */
	uint64_t sp;
	uint64_t bp; /* the frame pointer, where the function has one */
};

struct mz_record_input {
	struct mz_record head;
	uint32_t thread;
	uint32_t nth;     /* how many inputs that thread had marked before */
	uint64_t address; /* of the object */
	uint64_t size;
	uint32_t nframes;
	uint32_t name_size; /* with its NUL */
	                    /* then: frames (struct mz_record_frame), the object's bytes, name; padded */
};

struct mz_record_end {
	struct mz_record head;
	uint32_t end; /* enum mz_end */
	uint32_t steps;
	uint32_t preemptions;
	uint32_t status; /* exit status of the program, if it came to its end */
};

#endif
