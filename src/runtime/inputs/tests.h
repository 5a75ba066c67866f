/* SPDX-License-Identifier: MIT
 *
 * Files with the inputs of each path that was explored (`--tests`): DIR/path-1.inputs and so on, with a line for each
 * input that the path has: name, size in bytes, bytes in hexadecimal digits (`-` if there are none).
 *
 * Paths are told apart by the conditions that hold on them, whatever the order in which threads met them: executions
 * that differ in their schedules alone are one path. What a branch asks may depend on the schedule as well, so that
 * several paths can have the same inputs: one file is enough for these.
 */
#ifndef MZ_RUNTIME_INPUTS_TESTS_H
#define MZ_RUNTIME_INPUTS_TESTS_H

/* Writes the inputs of the execution that has just ended, if they are wanted and its path is new. */
void mz_tests_write(void);

#endif
