/* SPDX-License-Identifier: MIT
 *
 * The replaced functions that concern descriptors, files, streams and the system. hooks.h says what the columns of a
 * line mean; include hooks.h, not this file.
 */
#ifndef MZ_RUNTIME_CORE_HOOKS_WORLD_H
#define MZ_RUNTIME_CORE_HOOKS_WORLD_H

/* Pipes, sockets, events. */
#define MZ_HOOKS_CHANNELS(X)                                                                                           \
	X(pipe, 1, writes, ours)                                                                                       \
	X(pipe2, 2, writes, ours)                                                                                      \
	X(socketpair, 4, writes, ours)                                                                                 \
	X(eventfd, 2, writes, ours)                                                                                    \
	X(close, 1, writes, ours)                                                                                      \
	X(close_range, 3, writes, ours)                                                                                \
	X(closefrom, 1, writes, ours)                                                                                  \
	X(read, 3, reads, ours)                                                                                        \
	X(readv, 3, reads, ours)                                                                                       \
	X(recv, 4, reads, ours)                                                                                        \
	X(recvfrom, 6, reads, ours)                                                                                    \
	X(recvmsg, 3, reads, ours)                                                                                     \
	X(__read_chk, -, nothing, ours)                                                                                \
	X(__recv_chk, -, nothing, ours)                                                                                \
	X(eventfd_read, 2, reads, ours)                                                                                \
	X(write, 3, reads, ours)                                                                                       \
	X(writev, 3, reads, ours)                                                                                      \
	X(send, 4, reads, ours)                                                                                        \
	X(sendto, 6, reads, ours)                                                                                      \
	X(sendmsg, 3, reads, ours)                                                                                     \
	X(eventfd_write, 2, reads, ours)                                                                               \
	X(shutdown, 2, writes, ours)

/* Waiting for descriptors. */
#define MZ_HOOKS_POLLING(X)                                                                                            \
	X(poll, 3, reads, ours)                                                                                        \
	X(ppoll, 4, reads, ours)                                                                                       \
	X(__poll_chk, -, nothing, ours)                                                                                \
	X(select, 5, reads, ours)                                                                                      \
	X(pselect, 6, reads, ours)                                                                                     \
	X(epoll_create, 1, writes, ours)                                                                               \
	X(epoll_create1, 1, writes, ours)                                                                              \
	X(epoll_ctl, 4, writes, ours)                                                                                  \
	X(epoll_wait, 4, reads, ours)                                                                                  \
	X(epoll_pwait, 5, reads, ours)                                                                                 \
	X(epoll_pwait2, 5, reads, ours)

/* Files. */
#define MZ_HOOKS_FILES(X)                                                                                              \
	X(open, -, nothing, kernel)                                                                                    \
	X(openat, -, nothing, kernel)                                                                                  \
	X(open64, -, nothing, kernel)                                                                                  \
	X(openat64, -, nothing, kernel)                                                                                \
	X(creat, -, nothing, kernel)                                                                                   \
	X(creat64, -, nothing, kernel)                                                                                 \
	X(dup3, -, nothing, kernel)                                                                                    \
	X(dup2, -, nothing, kernel)                                                                                    \
	X(dup, -, nothing, kernel)                                                                                     \
	X(mkstemp, -, nothing, kernel)                                                                                 \
	X(mkstemp64, -, nothing, kernel)                                                                               \
	X(mkostemp, -, nothing, kernel)                                                                                \
	X(mkostemp64, -, nothing, kernel)                                                                              \
	X(mkstemps, -, nothing, kernel)                                                                                \
	X(mkstemps64, -, nothing, kernel)                                                                              \
	X(fdopen, -, nothing, kernel)                                                                                  \
	X(fopen, -, nothing, kernel)                                                                                   \
	X(fopen64, -, nothing, kernel)                                                                                 \
	X(freopen, -, nothing, kernel)                                                                                 \
	X(freopen64, -, nothing, kernel)                                                                               \
	X(tmpfile, -, nothing, kernel)                                                                                 \
	X(tmpfile64, -, nothing, kernel)                                                                               \
	X(fclose, -, nothing, kernel)                                                                                  \
	X(unlink, -, nothing, kernel)                                                                                  \
	X(remove, -, nothing, kernel)                                                                                  \
	X(rename, -, nothing, kernel)                                                                                  \
	X(truncate, -, nothing, kernel)                                                                                \
	X(truncate64, -, nothing, kernel)                                                                              \
	X(ftruncate, -, nothing, kernel)                                                                               \
	X(ftruncate64, -, nothing, kernel)                                                                             \
	X(access, -, nothing, kernel)                                                                                  \
	X(pwrite, -, nothing, kernel)                                                                                  \
	X(pwrite64, -, nothing, kernel)                                                                                \
	X(fwrite, -, nothing, kernel)

/* Streams. */
#define MZ_HOOKS_STREAMS(X)                                                                                            \
	X(fgetc, -, nothing, kernel)                                                                                   \
	X(getc, -, nothing, kernel)                                                                                    \
	X(_IO_getc, -, nothing, kernel)                                                                                \
	X(fgetc_unlocked, -, nothing, kernel)                                                                          \
	X(getc_unlocked, -, nothing, kernel)                                                                           \
	X(getchar, -, nothing, kernel)                                                                                 \
	X(getchar_unlocked, -, nothing, kernel)                                                                        \
	X(ungetc, -, nothing, kernel)                                                                                  \
	X(__getdelim, -, nothing, kernel)                                                                              \
	X(fgets_unlocked, -, nothing, kernel)                                                                          \
	X(fgetwc, -, nothing, kernel)                                                                                  \
	X(getwc, -, nothing, kernel)                                                                                   \
	X(fgetws, -, nothing, kernel)                                                                                  \
	X(getw, -, nothing, kernel)                                                                                    \
	X(putc, -, nothing, kernel)                                                                                    \
	X(_IO_putc, -, nothing, kernel)                                                                                \
	X(fputc_unlocked, -, nothing, kernel)                                                                          \
	X(putc_unlocked, -, nothing, kernel)                                                                           \
	X(fputs_unlocked, -, nothing, kernel)                                                                          \
	X(fwrite_unlocked, -, nothing, kernel)                                                                         \
	X(fputwc, -, nothing, kernel)                                                                                  \
	X(putwc, -, nothing, kernel)                                                                                   \
	X(fputws, -, nothing, kernel)                                                                                  \
	X(putw, -, nothing, kernel)                                                                                    \
	X(fflush, -, nothing, kernel)                                                                                  \
	X(fflush_unlocked, -, nothing, kernel)                                                                         \
	X(fseek, -, nothing, kernel)                                                                                   \
	X(fseeko, -, nothing, kernel)                                                                                  \
	X(fseeko64, -, nothing, kernel)                                                                                \
	X(ftell, -, nothing, kernel)                                                                                   \
	X(ftello, -, nothing, kernel)                                                                                  \
	X(ftello64, -, nothing, kernel)                                                                                \
	X(rewind, -, nothing, kernel)                                                                                  \
	X(fgetpos, -, nothing, kernel)                                                                                 \
	X(fgetpos64, -, nothing, kernel)                                                                               \
	X(fsetpos, -, nothing, kernel)                                                                                 \
	X(fsetpos64, -, nothing, kernel)                                                                               \
	X(feof, -, nothing, kernel)                                                                                    \
	X(ferror, -, nothing, kernel)                                                                                  \
	X(clearerr, -, nothing, kernel)                                                                                \
	X(fputc, -, nothing, kernel)                                                                                   \
	X(flockfile, 1, writes, ours)                                                                                  \
	X(ftrylockfile, 1, writes, ours)                                                                               \
	X(funlockfile, 1, writes, ours)

/* printf and its kin. */
#define MZ_HOOKS_PRINT(X)                                                                                              \
	X(vsnprintf, -, nothing, ours)                                                                                 \
	X(sprintf, -, nothing, ours)                                                                                   \
	X(snprintf, -, nothing, ours)                                                                                  \
	X(vsprintf, -, nothing, ours)                                                                                  \
	X(__sprintf_chk, -, nothing, ours)                                                                             \
	X(__snprintf_chk, -, nothing, ours)                                                                            \
	X(__vsprintf_chk, -, nothing, ours)                                                                            \
	X(__vsnprintf_chk, -, nothing, ours)                                                                           \
	X(vasprintf, -, nothing, ours)                                                                                 \
	X(asprintf, -, nothing, ours)                                                                                  \
	X(__asprintf_chk, -, nothing, ours)                                                                            \
	X(printf, -, nothing, kernel)                                                                                  \
	X(vfprintf, -, nothing, kernel)                                                                                \
	X(fprintf, -, nothing, kernel)                                                                                 \
	X(dprintf, -, nothing, kernel)                                                                                 \
	X(vdprintf, -, nothing, kernel)                                                                                \
	X(__printf_chk, -, nothing, kernel)                                                                            \
	X(__fprintf_chk, -, nothing, kernel)                                                                           \
	X(__dprintf_chk, -, nothing, kernel)                                                                           \
	X(vprintf, -, nothing, kernel)                                                                                 \
	X(__vprintf_chk, -, nothing, kernel)                                                                           \
	X(__vfprintf_chk, -, nothing, kernel)                                                                          \
	X(__vdprintf_chk, -, nothing, kernel)

/* scanf and its kin. */
#define MZ_HOOKS_SCAN(X)                                                                                               \
	X(sscanf, -, nothing, kernel)                                                                                  \
	X(vsscanf, -, nothing, kernel)                                                                                 \
	X(fscanf, -, nothing, kernel)                                                                                  \
	X(vfscanf, -, nothing, kernel)                                                                                 \
	X(scanf, -, nothing, kernel)                                                                                   \
	X(vscanf, -, nothing, kernel)                                                                                  \
	X(__isoc23_fscanf, -, nothing, kernel)                                                                         \
	X(__isoc23_scanf, -, nothing, kernel)                                                                          \
	X(__isoc23_sscanf, -, nothing, kernel)                                                                         \
	X(__isoc23_vfscanf, -, nothing, kernel)                                                                        \
	X(__isoc23_vscanf, -, nothing, kernel)                                                                         \
	X(__isoc23_vsscanf, -, nothing, kernel)                                                                        \
	X(__isoc99_fscanf, -, nothing, kernel)                                                                         \
	X(__isoc99_scanf, -, nothing, kernel)                                                                          \
	X(__isoc99_sscanf, -, nothing, kernel)                                                                         \
	X(__isoc99_vfscanf, -, nothing, kernel)                                                                        \
	X(__isoc99_vscanf, -, nothing, kernel)                                                                         \
	X(__isoc99_vsscanf, -, nothing, kernel)

/* Mapped memory. */
#define MZ_HOOKS_MAPPING(X)                                                                                            \
	X(mmap, -, nothing, kernel)                                                                                    \
	X(mmap64, -, nothing, kernel)                                                                                  \
	X(mprotect, -, nothing, kernel)                                                                                \
	X(munmap, -, nothing, kernel)                                                                                  \
	X(mremap, -, nothing, kernel)

/* Names of files that do not exist yet. */
#define MZ_HOOKS_NAMES(X)                                                                                              \
	X(tmpnam, -, nothing, ours)                                                                                    \
	X(tmpnam_r, -, nothing, ours)                                                                                  \
	X(tempnam, -, nothing, ours)                                                                                   \
	X(mktemp, -, nothing, ours)

/* Random numbers. */
#define MZ_HOOKS_RANDOM(X)                                                                                             \
	X(random, -, nothing, ours)                                                                                    \
	X(rand, -, nothing, ours)                                                                                      \
	X(srand, -, nothing, ours)                                                                                     \
	X(srandom, -, nothing, ours)                                                                                   \
	X(initstate, -, nothing, ours)                                                                                 \
	X(setstate, -, nothing, ours)                                                                                  \
	X(drand48, -, nothing, ours)                                                                                   \
	X(erand48, -, nothing, ours)                                                                                   \
	X(lrand48, -, nothing, ours)                                                                                   \
	X(nrand48, -, nothing, ours)                                                                                   \
	X(mrand48, -, nothing, ours)                                                                                   \
	X(jrand48, -, nothing, ours)                                                                                   \
	X(srand48, -, nothing, ours)                                                                                   \
	X(seed48, -, nothing, ours)                                                                                    \
	X(lcong48, -, nothing, ours)                                                                                   \
	X(getrandom, -, nothing, ours)                                                                                 \
	X(getentropy, -, nothing, ours)                                                                                \
	X(arc4random, -, nothing, ours)                                                                                \
	X(arc4random_uniform, -, nothing, ours)                                                                        \
	X(arc4random_buf, -, nothing, ours)                                                                            \
	X(_ZNSt13random_device9_M_getvalEv, -, nothing, ours)                                                          \
	X(_ZNSt13random_device16_M_getval_pretr1Ev, -, nothing, ours)                                                  \
	X(_ZNSt3__113random_deviceclEv, -, nothing, ours)

/* Environment variables. */
#define MZ_HOOKS_ENVIRONMENT(X)                                                                                        \
	X(getenv, -, nothing, ours)                                                                                    \
	X(secure_getenv, -, nothing, ours)                                                                             \
	X(setenv, -, nothing, ours)                                                                                    \
	X(unsetenv, -, nothing, ours)                                                                                  \
	X(putenv, -, nothing, ours)                                                                                    \
	X(clearenv, -, nothing, ours)

/* Options of the command line. */
#define MZ_HOOKS_OPTIONS(X)                                                                                            \
	X(getopt, -, nothing, ours)                                                                                    \
	X(__posix_getopt, -, nothing, ours)                                                                            \
	X(getopt_long, -, nothing, ours)                                                                               \
	X(getopt_long_only, -, nothing, ours)

/* Libraries that are loaded while the program runs. */
#define MZ_HOOKS_PLUGIN(X)                                                                                             \
	X(dlopen, -, nothing, kernel)                                                                                  \
	X(dlclose, -, nothing, kernel)                                                                                 \
	X(dlerror, -, nothing, kernel)

/* Timers. */
#define MZ_HOOKS_TIMERS(X)                                                                                             \
	X(alarm, 1, writes, ours)                                                                                      \
	X(ualarm, 2, writes, ours)                                                                                     \
	X(setitimer, 3, writes, ours)                                                                                  \
	X(getitimer, 2, reads, ours)                                                                                   \
	X(timer_create, 3, writes, ours)                                                                               \
	X(timer_delete, 1, writes, ours)                                                                               \
	X(timer_settime, 4, writes, ours)                                                                              \
	X(timer_gettime, 2, reads, ours)                                                                               \
	X(timer_getoverrun, 1, reads, ours)                                                                            \
	X(timerfd_create, 2, writes, ours)                                                                             \
	X(timerfd_settime, 4, writes, ours)                                                                            \
	X(timerfd_gettime, 2, reads, ours)

/* Settings of the process. */
#define MZ_HOOKS_SURROUNDINGS(X)                                                                                       \
	X(umask, -, nothing, kernel)                                                                                   \
	X(chdir, -, nothing, kernel)                                                                                   \
	X(fchdir, -, nothing, kernel)                                                                                  \
	X(setrlimit, -, nothing, kernel)                                                                               \
	X(setrlimit64, -, nothing, kernel)                                                                             \
	X(nice, -, nothing, kernel)                                                                                    \
	X(setpriority, -, nothing, kernel)                                                                             \
	X(setlocale, -, nothing, kernel)                                                                               \
	X(uselocale, -, nothing, kernel)                                                                               \
	X(mblen, -, nothing, kernel)                                                                                   \
	X(mbtowc, -, nothing, kernel)                                                                                  \
	X(wctomb, -, nothing, kernel)                                                                                  \
	X(textdomain, -, nothing, kernel)                                                                              \
	X(openlog, -, nothing, kernel)                                                                                 \
	X(closelog, -, nothing, kernel)                                                                                \
	X(setlogmask, -, nothing, kernel)                                                                              \
	X(hcreate, -, nothing, kernel)                                                                                 \
	X(hdestroy, -, nothing, kernel)                                                                                \
	X(setpwent, -, nothing, kernel)                                                                                \
	X(getpwent, -, nothing, kernel)                                                                                \
	X(getpwent_r, -, nothing, kernel)                                                                              \
	X(endpwent, -, nothing, kernel)                                                                                \
	X(setspent, -, nothing, kernel)                                                                                \
	X(getspent, -, nothing, kernel)                                                                                \
	X(endspent, -, nothing, kernel)                                                                                \
	X(setgrent, -, nothing, kernel)                                                                                \
	X(getgrent, -, nothing, kernel)                                                                                \
	X(getgrent_r, -, nothing, kernel)                                                                              \
	X(endgrent, -, nothing, kernel)                                                                                \
	X(sethostent, -, nothing, kernel)                                                                              \
	X(gethostent, -, nothing, kernel)                                                                              \
	X(endhostent, -, nothing, kernel)                                                                              \
	X(setservent, -, nothing, kernel)                                                                              \
	X(getservent, -, nothing, kernel)                                                                              \
	X(endservent, -, nothing, kernel)                                                                              \
	X(setprotoent, -, nothing, kernel)                                                                             \
	X(getprotoent, -, nothing, kernel)                                                                             \
	X(endprotoent, -, nothing, kernel)                                                                             \
	X(setnetent, -, nothing, kernel)                                                                               \
	X(getnetent, -, nothing, kernel)                                                                               \
	X(endnetent, -, nothing, kernel)                                                                               \
	X(setnetgrent, -, nothing, kernel)                                                                             \
	X(getnetgrent, -, nothing, kernel)                                                                             \
	X(endnetgrent, -, nothing, kernel)                                                                             \
	X(setutent, -, nothing, kernel)                                                                                \
	X(getutent, -, nothing, kernel)                                                                                \
	X(endutent, -, nothing, kernel)                                                                                \
	X(setutxent, -, nothing, kernel)                                                                               \
	X(getutxent, -, nothing, kernel)                                                                               \
	X(endutxent, -, nothing, kernel)                                                                               \
	X(setusershell, -, nothing, kernel)                                                                            \
	X(getusershell, -, nothing, kernel)                                                                            \
	X(endusershell, -, nothing, kernel)                                                                            \
	X(setfsent, -, nothing, kernel)                                                                                \
	X(getfsent, -, nothing, kernel)                                                                                \
	X(endfsent, -, nothing, kernel)                                                                                \
	X(setttyent, -, nothing, kernel)                                                                               \
	X(getttyent, -, nothing, kernel)                                                                               \
	X(endttyent, -, nothing, kernel)

/* Functions by which the kernel writes to memory. */
#define MZ_HOOKS_SYSTEM(X)                                                                                             \
	X(fcntl, -, nothing, kernel)                                                                                   \
	X(pread, -, nothing, kernel)                                                                                   \
	X(pread64, -, nothing, kernel)                                                                                 \
	X(__pread_chk, -, nothing, kernel)                                                                             \
	X(__pread64_chk, -, nothing, kernel)                                                                           \
	X(preadv, -, nothing, kernel)                                                                                  \
	X(preadv64, -, nothing, kernel)                                                                                \
	X(preadv2, -, nothing, kernel)                                                                                 \
	X(preadv64v2, -, nothing, kernel)                                                                              \
	X(process_vm_readv, -, nothing, kernel)                                                                        \
	X(readlink, -, nothing, kernel)                                                                                \
	X(__readlink_chk, -, nothing, kernel)                                                                          \
	X(readlinkat, -, nothing, kernel)                                                                              \
	X(__readlinkat_chk, -, nothing, kernel)                                                                        \
	X(getdents64, -, nothing, kernel)                                                                              \
	X(getxattr, -, nothing, kernel)                                                                                \
	X(lgetxattr, -, nothing, kernel)                                                                               \
	X(fgetxattr, -, nothing, kernel)                                                                               \
	X(listxattr, -, nothing, kernel)                                                                               \
	X(llistxattr, -, nothing, kernel)                                                                              \
	X(flistxattr, -, nothing, kernel)                                                                              \
	X(mq_receive, -, nothing, kernel)                                                                              \
	X(mq_timedreceive, -, nothing, kernel)                                                                         \
	X(msgrcv, -, nothing, kernel)                                                                                  \
	X(getcwd, -, nothing, kernel)                                                                                  \
	X(__getcwd_chk, -, nothing, kernel)                                                                            \
	X(fread, -, nothing, kernel)                                                                                   \
	X(fread_unlocked, -, nothing, kernel)                                                                          \
	X(__fread_chk, -, nothing, kernel)                                                                             \
	X(__fread_unlocked_chk, -, nothing, kernel)                                                                    \
	X(recvmmsg, -, nothing, kernel)                                                                                \
	X(accept, -, nothing, kernel)                                                                                  \
	X(accept4, -, nothing, kernel)                                                                                 \
	X(getsockname, -, nothing, kernel)                                                                             \
	X(getpeername, -, nothing, kernel)                                                                             \
	X(getsockopt, -, nothing, kernel)                                                                              \
	X(setsockopt, -, nothing, kernel)                                                                              \
	X(stat, -, nothing, kernel)                                                                                    \
	X(lstat, -, nothing, kernel)                                                                                   \
	X(fstat, -, nothing, kernel)                                                                                   \
	X(fstatat, -, nothing, kernel)                                                                                 \
	X(stat64, -, nothing, kernel)                                                                                  \
	X(lstat64, -, nothing, kernel)                                                                                 \
	X(fstat64, -, nothing, kernel)                                                                                 \
	X(fstatat64, -, nothing, kernel)                                                                               \
	X(__xstat, -, nothing, kernel)                                                                                 \
	X(__lxstat, -, nothing, kernel)                                                                                \
	X(__fxstat, -, nothing, kernel)                                                                                \
	X(__fxstatat, -, nothing, kernel)                                                                              \
	X(statx, -, nothing, kernel)                                                                                   \
	X(statfs, -, nothing, kernel)                                                                                  \
	X(fstatfs, -, nothing, kernel)                                                                                 \
	X(statfs64, -, nothing, kernel)                                                                                \
	X(fstatfs64, -, nothing, kernel)                                                                               \
	X(lseek, -, nothing, kernel)                                                                                   \
	X(lseek64, -, nothing, kernel)                                                                                 \
	X(sendfile, -, nothing, kernel)                                                                                \
	X(sendfile64, -, nothing, kernel)                                                                              \
	X(copy_file_range, -, nothing, kernel)                                                                         \
	X(splice, -, nothing, kernel)                                                                                  \
	X(wait, -, nothing, kernel)                                                                                    \
	X(waitpid, -, nothing, kernel)                                                                                 \
	X(wait3, -, nothing, kernel)                                                                                   \
	X(wait4, -, nothing, kernel)                                                                                   \
	X(waitid, -, nothing, kernel)                                                                                  \
	X(getrusage, -, nothing, kernel)                                                                               \
	X(getrlimit, -, nothing, kernel)                                                                               \
	X(getrlimit64, -, nothing, kernel)                                                                             \
	X(prlimit, -, nothing, kernel)                                                                                 \
	X(prlimit64, -, nothing, kernel)                                                                               \
	X(uname, -, nothing, kernel)                                                                                   \
	X(sysinfo, -, nothing, kernel)                                                                                 \
	X(getresuid, -, nothing, kernel)                                                                               \
	X(getresgid, -, nothing, kernel)                                                                               \
	X(getgroups, -, nothing, kernel)                                                                               \
	X(lockf, -, nothing, kernel)                                                                                   \
	X(fsync, -, nothing, kernel)                                                                                   \
	X(fdatasync, -, nothing, kernel)                                                                               \
	X(msync, -, nothing, kernel)                                                                                   \
	X(tcdrain, -, nothing, kernel)                                                                                 \
	X(aio_suspend, -, nothing, kernel)                                                                             \
	X(ioctl, -, nothing, kernel)                                                                                   \
	X(fcntl64, -, nothing, kernel)                                                                                 \
	X(prctl, -, nothing, kernel)                                                                                   \
	X(syscall, 6, writes, kernel)

/* Functions that are let through, and counted. */
#define MZ_HOOKS_UNCONTROLLED(X)                                                                                       \
	X(bind, -, nothing, kernel)                                                                                    \
	X(chmod, -, nothing, kernel)                                                                                   \
	X(chown, -, nothing, kernel)                                                                                   \
	X(connect, -, nothing, kernel)                                                                                 \
	X(flock, -, nothing, kernel)                                                                                   \
	X(getaddrinfo, -, nothing, kernel)                                                                             \
	X(gethostbyname, -, nothing, kernel)                                                                           \
	X(inotify_add_watch, -, nothing, kernel)                                                                       \
	X(inotify_init, -, nothing, kernel)                                                                            \
	X(inotify_init1, -, nothing, kernel)                                                                           \
	X(link, -, nothing, kernel)                                                                                    \
	X(listen, -, nothing, kernel)                                                                                  \
	X(mkdir, -, nothing, kernel)                                                                                   \
	X(mkdtemp, -, nothing, kernel)                                                                                 \
	X(mkfifo, -, nothing, kernel)                                                                                  \
	X(mq_open, -, nothing, kernel)                                                                                 \
	X(mq_send, -, nothing, kernel)                                                                                 \
	X(mq_timedsend, -, nothing, kernel)                                                                            \
	X(msgget, -, nothing, kernel)                                                                                  \
	X(msgsnd, -, nothing, kernel)                                                                                  \
	X(popen, -, nothing, kernel)                                                                                   \
	X(rmdir, -, nothing, kernel)                                                                                   \
	X(semget, -, nothing, kernel)                                                                                  \
	X(semop, -, nothing, kernel)                                                                                   \
	X(shm_open, -, nothing, kernel)                                                                                \
	X(shm_unlink, -, nothing, kernel)                                                                              \
	X(shmat, -, nothing, kernel)                                                                                   \
	X(shmget, -, nothing, kernel)                                                                                  \
	X(socket, -, nothing, kernel)                                                                                  \
	X(symlink, -, nothing, kernel)                                                                                 \
	X(system, -, nothing, kernel)                                                                                  \
	X(utimensat, -, nothing, kernel)

/* Functions that are refused. */
#define MZ_HOOKS_UNSUPPORTED(X)                                                                                        \
	X(sigblock, -, nothing, ours)                                                                                  \
	X(sighold, -, nothing, ours)                                                                                   \
	X(sigignore, -, nothing, ours)                                                                                 \
	X(siginterrupt, -, nothing, ours)                                                                              \
	X(signalfd, -, nothing, ours)                                                                                  \
	X(sigrelse, -, nothing, ours)                                                                                  \
	X(sigset, -, nothing, ours)                                                                                    \
	X(sigsetmask, -, nothing, ours)                                                                                \
	X(tgkill, -, nothing, ours)                                                                                    \
	X(fork, -, nothing, ours)                                                                                      \
	X(vfork, -, nothing, ours)                                                                                     \
	X(_Fork, -, nothing, ours)                                                                                     \
	X(posix_spawn, -, nothing, ours)                                                                               \
	X(posix_spawnp, -, nothing, ours)                                                                              \
	X(daemon, -, nothing, ours)                                                                                    \
	X(forkpty, -, nothing, ours)

/* Refused too, and of any number of arguments. */
#define MZ_HOOKS_PROCESSES(X)                                                                                          \
	X(clone, -, nothing, ours)                                                                                     \
	X(__clone, -, nothing, ours)                                                                                   \
	X(execl, -, nothing, ours)                                                                                     \
	X(execle, -, nothing, ours)                                                                                    \
	X(execlp, -, nothing, ours)                                                                                    \
	X(execv, -, nothing, ours)                                                                                     \
	X(execve, -, nothing, ours)                                                                                    \
	X(execveat, -, nothing, ours)                                                                                  \
	X(execvp, -, nothing, ours)                                                                                    \
	X(execvpe, -, nothing, ours)                                                                                   \
	X(fexecve, -, nothing, ours)

#endif
