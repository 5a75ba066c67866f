# SPDX-License-Identifier: MIT
# What is said about locks: who is in whose way, and where an object was destroyed.
. "$SOURCE/tests/cli/lib.sh"

programs=$SOURCE/tests/programs/wrong
# said PROGRAM: about its bug, without where the sources are.
said() {
	mazurka cc -D_GNU_SOURCE "$programs/$1.c" -o program
	mazurka run --out out ./program 2>&1 | sed "s|$programs/||g" || :
}
# says NAME LINE: the line is among those in `text`.
says() {
	if printf '%s\n' "$text" | grep -qxF -- "    $2"; then
		echo "ok $1"
	else
		echo "not ok $1: $2"
		printf '%s\n' "$text" | sed 's/^/  | /'
	fi
}

text=$(said lock-upgrade)
says "a reader that wants to write is in its own way" \
    "main/1 waits for the read-write lock that it reads itself: lock at lock-upgrade.c:19 (run)"
says "and in that of others" \
    "main/2 waits for the read-write lock that main/1 reads: lock at lock-upgrade.c:19 (run)"
says "since when it reads" "  and holds to read, since here, lock at lock-upgrade.c:17 (run)"
text=$(said read-again-behind-writer)
says "a reader behind a writer" \
    "main/1 waits for the read-write lock that main/2 waits to write: lock at read-again-behind-writer.c:19 (reads)"
says "that waits for the reader" \
    "main/2 waits for the read-write lock that main/1 reads: lock at read-again-behind-writer.c:29 (writes)"
text=$(said signal-after-destruction)
says "the use of a destroyed object" "use of a synchronization object that was destroyed: changed"
says "where it is used" "main/1 at signal-after-destruction.c:21 (work)"
says "where it was destroyed" "destruction by main at signal-after-destruction.c:32 (main)"
text=$(said read-lock-given-back-by-another)
says "a lock that others read" "unlock of a read-write lock that the thread does not hold: lock"
