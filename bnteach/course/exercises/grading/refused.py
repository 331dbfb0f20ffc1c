"""System calls that are refused: no submission needs them, and their effects escape or outlive the limits.

    shared memory, semaphores, message queues, files in memory     memory beyond the limit
    keys                                                           kept by the kernel per user, across submissions
    io_uring                                                       work done by the kernel outside the filter
    processes and threads                                          their number is limited, but not for root

They fail with EPERM (not permitted) or EAGAIN (too many). Linux runs a small filter program at every system call
(seccomp); it can only be made stricter, and child processes inherit it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

KINDS = {  # the kernel's number of the architecture, and its system-call numbers
    "x86_64": (0xC000003E, {"shmget": 29, "semget": 64, "msgget": 68, "mq_open": 240, "add_key": 248,
                            "request_key": 249, "keyctl": 250, "memfd_create": 319},
               {"clone": 56, "fork": 57, "vfork": 58}),
    "aarch64": (0xC00000B7, {"shmget": 194, "semget": 190, "msgget": 186, "mq_open": 180, "add_key": 217,
                             "request_key": 218, "keyctl": 219, "memfd_create": 279}, {"clone": 220}),
}
EVERYWHERE, CLONE_3 = {"io_uring_setup": 425, "memfd_secret": 447}, 435
OTHER_NUMBERS = 0x40000000  # of the x32 calls, on x86_64
LOAD, EQUAL, AT_LEAST, ANSWER = 0x20, 0x15, 0x35, 0x06  # the instructions of the filter program
ALLOW, FAIL = 0x7FFF0000, 0x00050000
PR_SET_SECCOMP, FILTER = 22, 2


def refuse() -> None:
    """Refuse these calls from now on, to this process and to its children. Needs PR_SET_NO_NEW_PRIVS."""
    if sys.platform != "linux" or os.uname().machine not in KINDS:
        return
    rules = program(os.uname().machine)
    code = ctypes.create_string_buffer(b"".join(rules))
    whole = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code)))
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_SECCOMP, ctypes.c_ulong(FILTER), whole, 0, 0):
        raise OSError(ctypes.get_errno(), f"seccomp: {os.strerror(ctypes.get_errno())}")


def program(machine: str) -> list[bytes]:
    """The filter: allow a call if it belongs to this architecture and is not in the list."""
    kind, made, started = KINDS[machine]
    forbidden, too_many = [*made.values(), *EVERYWHERE.values()], [*started.values(), CLONE_3]
    end = len(forbidden) + len(too_many)  # of the comparisons, after which come the three results
    return [_rule(LOAD, 4), _rule(EQUAL, kind, no=end + 3), _rule(LOAD, 0), _rule(AT_LEAST, OTHER_NUMBERS, yes=end + 1),
            *(_rule(EQUAL, number, yes=end - i) for i, number in enumerate(forbidden)),
            *(_rule(EQUAL, number, yes=len(too_many) - i + 1) for i, number in enumerate(too_many)),
            _rule(ANSWER, ALLOW), _rule(ANSWER, FAIL | errno.EPERM), _rule(ANSWER, FAIL | errno.EAGAIN)]


def _rule(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    """One instruction; `yes` and `no` are the numbers of instructions to skip."""
    return struct.pack("HBBI", code, yes, no, value)
