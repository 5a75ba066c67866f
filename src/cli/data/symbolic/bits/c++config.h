/* SPDX-License-Identifier: MIT
 *
 * The settings of libstdc++, but that std::string is compiled with the program, and so instrumented, as every other
 * template: libstdc++.so has functions of it without shadows. `mazurka cc --symbolic` lets the compiler find this file
 * before the one of libstdc++.
 */
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
