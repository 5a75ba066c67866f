/* SPDX-License-Identifier: MIT
 *
 * bench/programs/filesystem.c for SPIN, in the transitions of tests/engine/helpers/models.c: an access each. Who has
 * created its file stays where it is.
 */
#ifndef N
#define N 14
#endif
#define BLOCKS 26
#define INODES 32
#define ME (_pid % INODES)
#define TAKE(lock) d_step { !lock -> lock = true }

bool locki[INODES], lockb[BLOCKS], busy[BLOCKS];
byte inode[INODES];

active [N] proctype creator()
{
	byte b = ((_pid % INODES) * 2) % BLOCKS;
	TAKE(locki[ME]);
	if
	:: inode[ME] == 0 ->
	   do
	   :: TAKE(lockb[b]);
	      if
	      :: !busy[b] -> busy[b] = true; inode[ME] = b + 1; lockb[b] = false; break
	      :: busy[b] -> d_step { lockb[b] = false; b = (b + 1) % BLOCKS }
	      fi
	   od
	:: inode[ME] != 0
	fi;
	locki[ME] = false;
end:	false
}
