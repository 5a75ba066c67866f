# SPDX-License-Identifier: MIT
# Archives, shared libraries, and libraries loaded at run time.
. "$SOURCE/tests/cli/lib.sh"

cat >part.c <<'END'
int counter;
int add(void)
{
	return ++counter;
}
END
cat >user.c <<'END'
int add(void);
int main(void)
{
	return add() == 1 && add() == 2 ? 0 : 1;
}
END
cat >loader.c <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	(void)argc;
	void *library = dlopen(argv[1], RTLD_NOW);
	int (*add)(void) = library ? (int (*)(void))dlsym(library, "add") : 0;
	return add && add() == 1 ? 0 : 1;
}
END
cat >knows.c <<'END'
#include <mazurka.h>
int main(void)
{
	return mz_exploring() + mz_choose(3);
}
END

libraries() {
	rm -f ./*.o ./*.a ./*.so
	check "$compiler: object for an archive" mazurka cc -c part.c
	check "$compiler: archive" ar rc libpart.a part.o
	check "$compiler: links with an archive" mazurka cc user.c -L. -lpart -o with-archive
	check "$compiler: which runs" ./with-archive
	check "$compiler: for exploration" is_for_exploration with-archive
	check "$compiler: shared library" mazurka cc -shared -fPIC part.c -o libpart.so
	check "$compiler: carries the note" is_for_exploration libpart.so
	check "$compiler: without undefined symbols" mazurka cc -shared -fPIC -Wl,-z,defs part.c -o libstrict.so
	check "$compiler: links with a shared library" mazurka cc user.c -L. -lpart -Wl,-rpath,'$ORIGIN' -o with-shared
	check "$compiler: which runs" ./with-shared
	check "$compiler: objects given to the linker alone" mazurka cc -c user.c
	check "$compiler: are linked" mazurka cc -Wl,user.o,part.o -o by-linker
	check "$compiler: for exploration" is_for_exploration by-linker
	check "$compiler: a library to be loaded" mazurka cc loader.c -o loader
	check "$compiler: is loaded" ./loader ./libpart.so
	check "$compiler: --gc-sections keeps the note" mazurka cc -ffunction-sections -Wl,--gc-sections part.c user.c -o gc
	check "$compiler: for exploration" is_for_exploration gc
	check "$compiler: -s keeps the note" mazurka cc -s part.c user.c -o stripped
	check "$compiler: for exploration" is_for_exploration stripped
	check "$compiler: link-time optimisation" mazurka cc -flto -O2 part.c user.c -o lto
	check "$compiler: which runs" ./lto
	check "$compiler: for exploration" is_for_exploration lto
	check "$compiler: mazurka.h is found, and by itself a program explores nothing" mazurka cc knows.c -o knows
	check "$compiler: so it returns 0" ./knows
	check "$compiler: -lmazurka is found" mazurka cc knows.c -lmazurka -o knows
	check "$compiler: and is loaded once" is_for_exploration knows
}
both_compilers libraries

gcc_only() {
	check "gcc: -static-libtsan finds nothing to link" mazurka cc -static-libtsan hello.c
	check "gcc: for exploration" is_for_exploration a.out
}
MAZURKA_CC=gcc gcc_only
