# SPDX-License-Identifier: MIT
# Installed under a folder that is not the prefix it was configured for, everything is found all the same.
. "$SOURCE/tests/cli/lib.sh"

check "installs" meson install -C "$BUILD" --no-rebuild --destdir "$PWD/root"
bin=$(dirname "$(find root -name mazurka -type f -perm -u+x)")
for file in mazurka mazurka-cc mazurka-c++; do
	check "$file is there" test -x "$bin/$file"
done
check "the header is there" test -f "$(find root -name mazurka.h)"
mv root moved
PATH=$PWD/moved/${bin#root/}:$PATH
cat >knows.c <<'END'
#include <assert.h>
#include <mazurka.h>
int main(void)
{
	assert(mz_choose(3) != 2);
	return 0;
}
END
installed() {
	check "$compiler: moved, it compiles and links" mazurka-cc knows.c -o knows
	check "$compiler: with the library of the new place" sh -c "readelf -d knows | grep -q 'RUNPATH.*moved'"
	check "$compiler: and the program runs by itself" ./knows
	code=0
	mazurka run --quiet ./knows || code=$?
	equal "$compiler: and is explored" 1 $code
}
both_compilers installed

if [ -x "$BUILD/mazurka-instrument" ]; then
	printf '#include <string.h>\nint main(int c, char **v)\n{\n\treturn strlen(v[0]) == 0;\n}\n' >symbolic.c
	check "moved, it compiles and links with --symbolic" mazurka-cc --symbolic symbolic.c -o symbolic
	check "and that program runs by itself" ./symbolic
fi
