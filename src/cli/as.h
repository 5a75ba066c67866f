/* SPDX-License-Identifier: MIT
 *
 * What `mazurka cc` tells the assembler that it puts before the real one.
 */
#ifndef MZ_CLI_AS_H
#define MZ_CLI_AS_H

/* An environment variable. If it is set, some of the inputs are assembly that was written by hand. */
#define MZ_AS_BY_HAND "MAZURKA_AS_BY_HAND"

#endif
