/* SPDX-License-Identifier: MIT */
#ifndef RECORD_H
#define RECORD_H

/* Appends an outcome to the record of a thread. */
void record(int thread, char kind, long number);
/* Append an operation on a shared object: which version the thread saw, or that it has made the next one. */
void record_read(int thread, int object);
void record_write(int thread, int object);
/* Appends a compare-exchange: a write if it was done, else a read. */
void record_exchange(int thread, int object, int done);
/* Appends the record of the execution to a file, as one line. */
void record_end(const char *file);

#endif
