/* SPDX-License-Identifier: MIT
 *
 * Where the runtime puts what the program sees, at addresses that are the same in every process: pointers in the
 * program then have the same values whenever it does the same.
 */
#ifndef MZ_RUNTIME_CORE_LAYOUT_H
#define MZ_RUNTIME_CORE_LAYOUT_H

#define MZ_LAYOUT_FIBERS 0x6b0000000000UL /* the threads themselves: their addresses are the values of pthread_t */
#define MZ_LAYOUT_STACKS 0x690000000000UL
#define MZ_LAYOUT_STACK_BITS 28
#define MZ_LAYOUT_STACK_SLOT (1UL << MZ_LAYOUT_STACK_BITS) /* address space for each; mostly 8 MiB of it are used */
#define MZ_LAYOUT_STACK_DEFAULT (8UL << 20)
#define MZ_LAYOUT_STACK_GUARD (64UL << 10)
#define MZ_LAYOUT_STACK_OURS (64UL << 10) /* besides what the program asks for: our functions run there too */
#define MZ_LAYOUT_BLOCKS 0x480000000000UL /* 32 bytes for each 64 of the heap */
#define MZ_LAYOUT_HEAP 0x580000000000UL   /* a region per thread: first the wide ones, then the others */
#define MZ_LAYOUT_HEAP_WIDE (64UL << 30)  /* the region of each of the first threads, */
#define MZ_LAYOUT_HEAP_NWIDE 128UL        /* which are so many */
#define MZ_LAYOUT_HEAP_REGION (2UL << 30) /* the region of each other thread */
#define MZ_LAYOUT_HEAP_OTHERS (MZ_LAYOUT_HEAP + MZ_LAYOUT_HEAP_NWIDE * MZ_LAYOUT_HEAP_WIDE)
#define MZ_LAYOUT_HEAP_END 0x680000000000UL
#define MZ_LAYOUT_MAPPINGS 0x400000000000UL /* that threads make: a region for each */
#define MZ_LAYOUT_MAPPINGS_REGION (2UL << 30)
#define MZ_LAYOUT_PARKED 0x6b8000000000UL /* stacks of parked threads, with the thread-local variables of ours */
#define MZ_LAYOUT_PARKED_SLOT (16UL << 20)
#define MZ_LAYOUT_ARGUMENTS 0x6b4000000000UL /* of the program, and its environment */
#define MZ_LAYOUT_TRUNK 0x6d0000000000UL     /* of the exploration, which workers share */
#define MZ_LAYOUT_SHADOW 0x6c0000000000UL    /* a byte for each 16 of the heap */

#endif
