/* SPDX-License-Identifier: MIT
 *
 * bench/programs/papers/cmis.c for SPIN, in the transitions of tests/engine/helpers/models.c: N numbers in descending
 * order are sorted in four parts, by a thread for each part and three that merge, which wait until they are asked. Who is
 * done goes on doing nothing.
 */
#ifndef N
#define N 8
#endif
#define LEFT (2 * _pid + 1)
#define RIGHT (2 * _pid + 2)
#define LENGTH (_pid == 0 -> N : (_pid < 3 -> N / 2 : N / 4))
#define FIRST (_pid == 0 -> 0 : (_pid < 3 -> (_pid - 1) * N / 2 : (_pid - 3) * N / 4))
#define LAST (FIRST + LENGTH - 1)
#define MIDDLE ((FIRST + LAST) / 2)
#define VALUE(n) (numbers[n] + N - n)
#define SET(n, value) numbers[n] = value - (N - n)
#define TAKE(which) SET(k, draft[which]); which++; k++

mtype = { START, WAIT, KEY, COMPARE, SHIFT, BACK, INSERT, ASK_RIGHT, ASK_LEFT, WAIT_LEFT, WAIT_RIGHT, ANY_TO_COPY, COPY, SET_I,
	SET_J, SET_K, ANY_LEFT, WHICH, TAKE_LEFT, TAKE_RIGHT, ANY_TO_APPEND, APPEND, FINISH, SORTED }

short numbers[N], draft[N]; /* a number as its difference from what it was first */
bool request[7], done[7];

active [7] proctype sorter()
{
	mtype at = (_pid == 0 -> START : WAIT);
	short i, j, k, held;
	do
	:: d_step { at == START -> request[_pid] = true; at = WAIT }
	:: d_step {
		at == WAIT && request[_pid] ->
		if
		:: _pid < 3 -> at = ASK_RIGHT
		:: else -> j = FIRST + 1; at = (FIRST < LAST -> KEY : FINISH)
		fi
	   }
	:: d_step { at == KEY -> held = VALUE(j); i = j - 1; at = COMPARE }
	:: d_step {
		at == COMPARE ->
		if
		:: i < FIRST -> at = INSERT
		:: else -> at = (VALUE(i) > held -> SHIFT : INSERT)
		fi
	   }
	:: d_step { at == SHIFT -> SET((i + 1), VALUE(i)); at = BACK }
	:: d_step { at == BACK -> i--; at = COMPARE }
	:: d_step { at == INSERT -> SET((i + 1), held); at = (j < LAST -> KEY : FINISH); j++ }
	:: d_step { at == ASK_RIGHT -> request[RIGHT] = true; at = ASK_LEFT }
	:: d_step { at == ASK_LEFT -> request[LEFT] = true; at = WAIT_LEFT }
	:: d_step { at == WAIT_LEFT && done[LEFT] -> at = WAIT_RIGHT }
	:: d_step { at == WAIT_RIGHT && done[RIGHT] -> i = FIRST; at = ANY_TO_COPY }
	:: d_step { at == ANY_TO_COPY -> at = (i <= LAST -> COPY : SET_I) }
	:: d_step { at == COPY -> draft[i] = VALUE(i); i++; at = ANY_TO_COPY }
	:: d_step { at == SET_I -> i = FIRST; at = SET_J }
	:: d_step { at == SET_J -> j = MIDDLE + 1; at = SET_K }
	:: d_step { at == SET_K -> k = FIRST; at = ANY_LEFT }
	:: d_step { at == ANY_LEFT -> at = (i <= MIDDLE && j <= LAST -> WHICH : ANY_TO_APPEND) }
	:: d_step { at == WHICH -> at = (draft[i] <= draft[j] -> TAKE_LEFT : TAKE_RIGHT) }
	:: d_step { at == TAKE_LEFT -> TAKE(i); at = ANY_LEFT }
	:: d_step { at == TAKE_RIGHT -> TAKE(j); at = ANY_LEFT }
	:: d_step { at == ANY_TO_APPEND -> at = (i <= MIDDLE -> APPEND : FINISH) }
	:: d_step { at == APPEND -> TAKE(i); at = ANY_TO_APPEND }
	:: d_step { at == FINISH -> assert(VALUE(FIRST) <= VALUE(LAST)); done[_pid] = true; at = SORTED }
	:: at == SORTED
	od
}
