/* SPDX-License-Identifier: MIT
 *
 * `mazurka show` as a program of its own.
 */
#include "cli/show.h"

int main(int argc, char **argv)
{
	return mz_show_main(argc, argv);
}
