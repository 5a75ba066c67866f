/* SPDX-License-Identifier: MIT
 *
 * Streams that exist when main begins, standard input and output and those that constructors opened: in every execution
 * they are what they were then. Their buffers, modes, orientation, marks of error and end, characters put back and
 * locks are the C library's; of what an execution has changed the bytes are put back. What a stream has written and not
 * passed on by then is dropped, as it would be by a process that ends without flushing it.
 */
#ifndef MZ_RUNTIME_WORLD_STREAMS_H
#define MZ_RUNTIME_WORLD_STREAMS_H

#include <stdbool.h>
#include <stdio.h>

/* Notes the streams that exist. Called before the first execution. */
void mz_streams_save(void);
/* Restores these streams. Called before every execution but the first, after mz_files_restore(). */
void mz_streams_restore(void);
/* Reports whether a stream is one of them, and not one of the three standard ones: the C library would free it when it
 * is closed. */
bool mz_streams_is_early(const FILE *stream);

#endif
