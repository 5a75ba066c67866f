/* SPDX-License-Identifier: MIT
 *
 * filesystem-references N: filesystem.c as a program in Java has it. To lock is to read a reference in an array first, as
 * `synchronized (lockb[b])` does: threads that meet at a block read the same reference concurrently.
 */
#define REFERENCES
#include "../filesystem.c"
