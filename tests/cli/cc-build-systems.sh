# SPDX-License-Identifier: MIT
# The driver where build systems expect a compiler.
. "$SOURCE/tests/cli/lib.sh"

cat >part.c <<'END'
int number(void)
{
	return 42;
}
END
cat >main.c <<'END'
#include <stdio.h>
int number(void);
int main(void)
{
	printf("%d\n", number());
	return 0;
}
END
printf 'main: main.o part.o\n\t$(CC) $(LDFLAGS) -o $@ $^\n' >Makefile
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(sample C CXX)
find_package(Threads REQUIRED)
add_library(part SHARED part.c)
add_executable(main main.c)
target_link_libraries(main part Threads::Threads)
add_executable(plus plus.cc)
target_link_libraries(plus part)
END
cat >plus.cc <<'END'
#include <iostream>
extern "C" int number(void);
int main()
{
	std::cout << number() << std::endl;
}
END
cat >meson.build <<'END'
project('sample', 'c')
executable('main', 'main.c', 'part.c', dependencies: dependency('threads'))
END

systems() {
	rm -rf ./*.o main cmake meson
	check "$compiler: CC=\"mazurka cc\" make" env CC="mazurka cc" make -s
	check "$compiler: made for exploration" is_for_exploration main
	equal "$compiler: and runs" 42 "$(./main)"
	check "$compiler: cmake configures" \
	    cmake -S . -B cmake -DCMAKE_C_COMPILER=mazurka-cc -DCMAKE_CXX_COMPILER=mazurka-c++ -DCMAKE_BUILD_TYPE=Debug
	check "$compiler: cmake builds" cmake --build cmake
	check "$compiler: the program" is_for_exploration cmake/main
	check "$compiler: the library" is_for_exploration cmake/libpart.so
	check "$compiler: the C++ program" is_for_exploration cmake/plus
	equal "$compiler: both run" "42 42" "$(cmake/main) $(cmake/plus)"
	check "$compiler: meson configures" env CC="mazurka cc" meson setup meson
	check "$compiler: meson builds" ninja -C meson
	check "$compiler: for exploration" is_for_exploration meson/main
	equal "$compiler: and runs" 42 "$(meson/main)"
}
both_compilers systems
