/* SPDX-License-Identifier: MIT
 *
 * An image of 64 MiB, all of it in use, of which an execution changes as many pages as the argument says. There are
 * 2,000 executions, with nothing else in them: what each takes is to start over. */
#include <assert.h>
#include <mazurka.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096
#define PAGES (16 * 1024)

static char image[PAGES][PAGE];

__attribute__((constructor)) static void fill(void)
{
	memset(image, 1, sizeof image);
}

int main(int argc, char **argv)
{
	int changed = argc > 1 ? atoi(argv[1]) : 20;
	for (int i = 0; i < changed; i++) {
		char *byte = &image[i * 797 % PAGES][i];
		assert(*byte == 1);
		*byte = 2;
	}
	mz_choose(2000);
	return 0;
}
