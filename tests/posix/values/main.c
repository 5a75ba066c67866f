/* SPDX-License-Identifier: MIT
 * values: the names of all probes; values NAME: runs one. */
#include "values.h"

struct probe probes[1000];
int probe_count;

void show(const char *call, long result, int error)
{
	char line[400];
	int length = result == -1 ? snprintf(line, sizeof(line), "%s = -1, errno %d\n", call, error)
	                          : snprintf(line, sizeof(line), "%s = %ld\n", call, result);
	syscall(SYS_write, RESULTS, line, length);
}

int main(int argc, char **argv)
{
	for (int i = 0; i < probe_count; i++) {
		if (argc < 2)
			puts(probes[i].name);
		else if (strcmp(probes[i].name, argv[1]) == 0) {
			show("begin", 0, 0);
			probes[i].run();
			show("end", 0, 0);
		}
	}
	return 0;
}
