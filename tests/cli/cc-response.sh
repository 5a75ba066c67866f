# SPDX-License-Identifier: MIT
# Response files are the compiler's, but what is in them decides what we add.
. "$SOURCE/tests/cli/lib.sh"

echo '-c hello.c "-o" spaced\ name.o' >compile.rsp
echo "@inner.rsp -o 'from response'" >link.rsp
echo 'hello.c' >inner.rsp
echo '@loop.rsp -c hello.c' >loop.rsp
echo '-static hello.c' >static.rsp
mkdir dir

responses() {
	rm -f ./*.o 'from response'
	check "$compiler: -c in a response file" mazurka cc @compile.rsp
	check "$compiler: wrote the object" test -f 'spaced name.o'
	check "$compiler: a nested response file" mazurka cc @link.rsp
	check "$compiler: linked for exploration" is_for_exploration 'from response'
	refused "$compiler: -static in a response file" \
	    "mazurka cc: -static cannot work: exploration needs libmazurka.so; leave -static out" mazurka cc @static.rsp
	status=0
	timeout 60 mazurka cc @loop.rsp >/dev/null 2>&1 || status=$?
	check "$compiler: a response file that names itself comes to an end" test $status -ne 124
	status=0
	mazurka cc @missing.rsp >missing.out 2>&1 || status=$?
	check "$compiler: a missing response file is the compiler's to report" test $status -ne 0 -a -s missing.out
}
both_compilers responses
