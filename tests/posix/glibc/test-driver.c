/* SPDX-License-Identifier: MIT
 * The main function of the C library's tests, which they include last. */
#include "driver.h"

int main(int argc, char **argv)
{
	(void)argc, (void)argv;
#ifdef PREPARE
	PREPARE(argc, argv);
#endif
#if defined TEST_FUNCTION_ARGV
	int status = TEST_FUNCTION_ARGV(argc, argv);
#elif defined TEST_FUNCTION
	int status = TEST_FUNCTION();
#else
	int status = do_test();
#endif
#ifdef EXPECTED_STATUS
	return status != EXPECTED_STATUS;
#else
	return status || driver_failures;
#endif
}
