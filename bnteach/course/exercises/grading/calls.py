"""The system calls that a submission may make; all others fail with EPERM, "Operation not permitted".

Python, numpy, pandas, scipy, networkx and matplotlib need files, memory, threads, signals and clocks. Left out is what
no answer needs: other processes and programs, networks, namespaces and mounts, keys, memory outside the limits, queues
and locks that another submission could see, and all that only administrators use. A call that Linux adds later is
refused too. Linux runs a small filter program at every system call (seccomp): it can only be made stricter, and new
threads inherit it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

# name, its number on x86_64, its number on aarch64 ("-": there is none)
ALLOWED = """
# files that are open
read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, pwrite64 18 68, lseek 8 62, close 3 57,
close_range 436 436, dup 32 23, dup2 33 -, dup3 292 24, fcntl 72 25, fsync 74 82, fdatasync 75 83, ftruncate 77 46,
truncate 76 45, fallocate 285 47, copy_file_range 326 285, sendfile 40 71
# files by name
open 2 -, openat 257 56, creat 85 -, stat 4 -, fstat 5 80, lstat 6 -, newfstatat 262 79, statx 332 291,
statfs 137 43, fstatfs 138 44, access 21 -, faccessat 269 48, faccessat2 439 439, readlink 89 -, readlinkat 267 78,
getdents 78 -, getdents64 217 61, getcwd 79 17, chdir 80 49, fchdir 81 50, umask 95 166
# folders
mkdir 83 -, mkdirat 258 34, rmdir 84 -, unlink 87 -, unlinkat 263 35, rename 82 -, renameat 264 38,
renameat2 316 276, link 86 -, linkat 265 37, symlink 88 -, symlinkat 266 36, chmod 90 -, fchmod 91 52,
fchmodat 268 53, utime 132 -, utimes 235 -, utimensat 280 88
# memory
brk 12 214, mmap 9 222, munmap 11 215, mprotect 10 226, mremap 25 216, madvise 28 233, msync 26 227
# threads
exit 60 93, exit_group 231 94, futex 202 98, set_robust_list 273 99, get_robust_list 274 100, rseq 334 293,
set_tid_address 218 96, sched_yield 24 124, sched_getaffinity 204 123, membarrier 324 283
# signals
rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136, rt_sigtimedwait 128 137,
rt_sigsuspend 130 133, sigaltstack 131 132, restart_syscall 219 128, pause 34 -, alarm 37 -, setitimer 38 103,
getitimer 36 102, kill 62 129, tgkill 234 131, tkill 200 130, wait4 61 260, waitid 247 95
# time
nanosleep 35 101, clock_nanosleep 230 115, clock_gettime 228 113, clock_getres 229 114, gettimeofday 96 169,
time 201 -, times 100 153
# waiting, and pairs of pipes or sockets
pipe 22 -, pipe2 293 59, socketpair 53 199, sendto 44 206, recvfrom 45 207, sendmsg 46 211, recvmsg 47 212,
shutdown 48 210, getsockopt 55 209, setsockopt 54 208, getsockname 51 204, getpeername 52 205, eventfd2 290 19,
select 23 -, pselect6 270 72, poll 7 -, ppoll 271 73, epoll_create1 291 20, epoll_ctl 233 21, epoll_wait 232 -,
epoll_pwait 281 22
# facts
getpid 39 172, getppid 110 173, gettid 186 178, getpgid 121 155, getpgrp 111 -, getsid 124 156, getuid 102 174,
geteuid 107 175, getgid 104 176, getegid 108 177, getgroups 115 158, getresuid 118 148, getresgid 120 150,
getpriority 140 141, getrlimit 97 163, prlimit64 302 261, getrusage 98 165, getrandom 318 278, uname 63 160,
sysinfo 99 179, getcpu 309 168
"""
CLONE, CLONE_3, IOCTL = (56, 220), (435, 435), (16, 29)  # these need more than a yes or no
NEW_THREAD = 0x10000  # the flag of clone for a thread, which belongs to the same process
TERMINALS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # of ioctl: is it a terminal, does it block, is it kept
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # the kernel's numbers of these architectures
LOAD, EQUAL, HAS_BIT, ANSWER = 0x20, 0x15, 0x45, 0x06  # the instructions of the filter program
ALLOW, FAIL, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24  # where these are in what the filter is given
PR_SET_SECCOMP, FILTER = 22, 2


def only_allowed() -> None:
    """Refuse all other calls from now on. Needs PR_SET_NO_NEW_PRIVS."""
    if sys.platform != "linux" or os.uname().machine not in MACHINES:
        return
    rules = program(os.uname().machine)
    code = ctypes.create_string_buffer(b"".join(rules))
    whole = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code)))
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_SECCOMP, ctypes.c_ulong(FILTER), whole, 0, 0):
        raise OSError(ctypes.get_errno(), f"seccomp: {os.strerror(ctypes.get_errno())}")


def numbers(machine: str) -> dict[str, int]:
    """{name: number} of the calls that are always allowed."""
    column = 1 + list(MACHINES).index(machine)
    lines = [line for line in ALLOWED.splitlines() if not line.startswith("#")]
    calls = [call.split() for line in lines for call in line.split(",") if call.strip()]
    return {call[0]: int(call[column]) for call in calls if call[column] != "-"}


def program(machine: str) -> list[bytes]:
    """The filter. Calls of another architecture, which have other numbers, end the process."""
    place = list(MACHINES).index(machine)
    return [_rule(LOAD, ARCHITECTURE), _rule(EQUAL, MACHINES[machine], yes=1), _rule(ANSWER, KILL), _rule(LOAD, NUMBER),
            *(rule for number in sorted(numbers(machine).values()) for rule in _if(EQUAL, number, ALLOW)),
            *_if(EQUAL, CLONE_3[place], FAIL | errno.ENOSYS),  # then clone is used, whose flags can be read here
            _rule(EQUAL, CLONE[place], no=4), _rule(LOAD, FIRST_ARGUMENT), *_if(HAS_BIT, NEW_THREAD, ALLOW),
            _rule(ANSWER, FAIL | errno.EPERM),
            _rule(EQUAL, IOCTL[place], no=1 + 2 * len(TERMINALS)), _rule(LOAD, SECOND_ARGUMENT),
            *(rule for request in TERMINALS for rule in _if(EQUAL, request, ALLOW)),
            _rule(ANSWER, FAIL | errno.EPERM)]


def _if(test: int, value: int, answer: int) -> tuple[bytes, bytes]:
    """Answer so if the test is true; otherwise go on after these two."""
    return _rule(test, value, no=1), _rule(ANSWER, answer)


def _rule(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    """One instruction; `yes` and `no` are the numbers of instructions to skip."""
    return struct.pack("HBBI", code, yes, no, value)
