/* SPDX-License-Identifier: MIT
 *
 * The program's memory: modules and what is restored of them, thread-local storage, the heap, mappings.
 * Other rooms include this header and none of those behind it.
 */
#ifndef MZ_RUNTIME_MEMORY_H
#define MZ_RUNTIME_MEMORY_H

#include "runtime/memory/allowed.h"
#include "runtime/memory/fresh.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/heap_block.h"
#include "runtime/memory/heap_lists.h"
#include "runtime/memory/image.h"
#include "runtime/memory/imports.h"
#include "runtime/memory/library.h"
#include "runtime/memory/mapping.h"
#include "runtime/memory/protection.h"

#endif
