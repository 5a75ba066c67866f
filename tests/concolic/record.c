/* SPDX-License-Identifier: MIT
 *
 * What random programs of `pairs` record of an execution: for each thread the outcomes of its branches on inputs, and for each
 * of its operations on shared objects which version of the object it saw or made. Two executions have the same record exactly
 * if they have the same path and the same trace: versions of an object number its writes, or the sections of a mutex, in their
 * order, and reads between two writes commute. This file is compiled without hooks and makes system calls itself, so that
 * recording is no part of what is explored. Its variables are restored with the program's.
 */
#include "record.h"

enum { THREADS = 4, OBJECTS = 8, ROOM = 4000, OPEN = 2, WRITE = 1, CLOSE = 3, APPEND = 02101 };

static struct {
	char text[ROOM];
	int length;
} records[THREADS];
static int versions[OBJECTS];

static long call(long number, long a, long b, long c)
{
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return result;
}

static void add(int thread, char c)
{
	if (records[thread].length < ROOM) records[thread].text[records[thread].length++] = c;
}

static void add_number(int thread, unsigned long number)
{
	if (number > 9) add_number(thread, number / 10);
	add(thread, (char)('0' + number % 10));
}

void record(int thread, char kind, long number)
{
	add(thread, kind);
	if (number < 0) add(thread, '-');
	add_number(thread, number < 0 ? -(unsigned long)number : (unsigned long)number);
}

void record_read(int thread, int object)
{
	record(thread, (char)('a' + object), versions[object]);
}

void record_write(int thread, int object)
{
	record(thread, (char)('A' + object), ++versions[object]);
}

void record_exchange(int thread, int object, int done)
{
	if (done)
		record_write(thread, object);
	else
		record_read(thread, object);
}

void record_end(const char *file)
{
	static char line[THREADS * (ROOM + 1)];
	int length = 0;
	for (int t = 0; t < THREADS; t++) {
		for (int n = 0; n < records[t].length; n++) line[length++] = records[t].text[n];
		line[length++] = t + 1 < THREADS ? ' ' : '\n';
	}
	long descriptor = call(OPEN, (long)file, APPEND, 0644);
	call(WRITE, descriptor, (long)line, length);
	call(CLOSE, descriptor, 0, 0);
}
