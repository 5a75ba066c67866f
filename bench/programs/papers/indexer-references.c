/* SPDX-License-Identifier: MIT
 *
 * indexer-references N: indexer.c as a program in Java has it. To compare and exchange is to read a reference in the table
 * first, as with an array of AtomicInteger: threads that meet at a slot read the same reference concurrently.
 */
#define REFERENCES
#include "../indexer.c"
