/* SPDX-License-Identifier: MIT
 * The main function of the C library's older tests, which some include first: TEST_FUNCTION is a call. */
#include "driver.h"

int main(int argc, char **argv)
{
	(void)argc, (void)argv;
#ifdef PREPARE
	PREPARE(argc, argv);
#endif
#ifdef TEST_FUNCTION
	int status = TEST_FUNCTION;
#else
	int status = do_test(argc, argv);
#endif
#ifdef EXPECTED_STATUS
	return status != EXPECTED_STATUS;
#else
	return status || driver_failures;
#endif
}
