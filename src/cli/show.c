/* SPDX-License-Identifier: MIT */
#include "cli/show.h"
#include "report/text.h"
#include <errno.h>
#include <string.h>

static const char help[] =
    "usage: mazurka show TRACE\n"
    "\n"
    "Prints a recorded execution: what went wrong, and every step that led there. TRACE is a file\n"
    "that `mazurka run` wrote (mazurka-out/bug-1.trace), or - for standard input.\n";

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "mazurka: %s: %s\n", what, why);
	return 2;
}

static int show(const struct mz_trace *trace)
{
	struct mz_text text;
	mz_text_init(&text, stdout);
	text.all = true;
	return mz_text_write_trace(&text, trace, NULL) == 0 ? 0 : complain("standard output", strerror(errno));
}

static int show_file(const char *path)
{
	struct mz_trace trace;
	char error[256];
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	if (!in) return complain(path, strerror(errno));
	int result = mz_trace_read(&trace, in, error, sizeof error);
	if (in != stdin) fclose(in);
	if (result != 0) return complain(path, error);
	result = show(&trace);
	mz_trace_release(&trace);
	return result;
}

int mz_show_main(int argc, char **argv)
{
	bool options_end = argc > 1 && strcmp(argv[1], "--") == 0;
	if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		fputs(help, stdout);
		return 0;
	}
	if (argc > 1 && !options_end && argv[1][0] == '-' && argv[1][1] != '\0')
		return complain(argv[1], "no such option of show; see mazurka show --help");
	if (argc != 2 + options_end) return complain("show", "name one trace file; see mazurka show --help");
	return show_file(argv[1 + options_end]);
}
