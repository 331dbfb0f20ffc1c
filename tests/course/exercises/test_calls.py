"""The system calls that the sandbox allows: the filter worked out by hand, and what the kernel makes of it."""

from __future__ import annotations

import errno
import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

import bnteach as bn
from bnteach.course.exercises.grading import calls

REFUSED = """
fork 57 -, vfork 58 -, execve 59 221, execveat 322 281, ptrace 101 117, process_vm_readv 310 270, kcmp 312 272,
process_vm_writev 311 271, pidfd_open 434 434, pidfd_getfd 438 438, personality 135 92, prctl 157 167,
socket 41 198, connect 42 203, bind 49 200, accept4 288 242, unshare 272 97, setns 308 268, mount 165 40,
umount2 166 39, pivot_root 155 41, chroot 161 51, open_tree 428 428, fsopen 430 430, mount_setattr 442 442,
open_by_handle_at 304 265, mknodat 259 33, io_setup 206 0, io_uring_setup 425 425, userfaultfd 323 282,
memfd_create 319 279, shmget 29 194, semget 64 190, msgget 68 186, mq_open 240 180, add_key 248 217, keyctl 250 219,
bpf 321 280, perf_event_open 298 241, seccomp 317 277, inotify_init1 294 26, fanotify_init 300 262, flock 73 32,
splice 275 76, vmsplice 278 75, fadvise64 221 223, mincore 27 232, preadv2 327 286, mlockall 151 230,
sched_setaffinity 203 122, setpriority 141 140, setresuid 117 147, setsid 112 157, init_module 175 105,
kexec_load 246 104, reboot 169 142, clock_settime 227 112, syslog 103 116, modify_ldt 154 -, timer_create 222 107
"""
PERMIT, NOT_PERMITTED = calls.ALLOW, calls.FAIL | errno.EPERM


def table(text: str, machine: str) -> dict[str, int]:
    column = {"x86_64": 1, "aarch64": 2}[machine]
    rows = [call.split() for call in text.replace("\n", " ").split(",")]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


def answer(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the filter answers, worked out instruction by instruction as the kernel does."""
    known = calls.MACHINES[machine]
    data = struct.pack("IIQ6Q", number, architecture or known, 0, *arguments, *[0] * (6 - len(arguments)))
    rules, place, value = [struct.unpack("HBBI", rule) for rule in calls.program(machine)], 0, 0
    while True:
        code, yes, no, operand = rules[place]
        place += 1
        if code == calls.LOAD:
            (value,) = struct.unpack_from("I", data, operand)
        elif code == calls.ANSWER:
            return operand
        else:
            place += yes if (value == operand if code == calls.EQUAL else value & operand) else no


@pytest.mark.parametrize("machine", calls.MACHINES)
def test_only_the_calls_of_the_list_are_allowed(machine: str) -> None:
    allowed = calls.numbers(machine)
    given = {number: answer(machine, number) for number in range(1000)}
    assert {number for number, what in given.items() if what == PERMIT} == set(allowed.values())
    for name, number in table(REFUSED, machine).items():
        assert given[number] == NOT_PERMITTED, name
    assert answer(machine, calls.CLONE_3[0]) == calls.FAIL | errno.ENOSYS
    assert answer(machine, allowed["read"] | 0x40000000) == NOT_PERMITTED, "the other numbers of x86_64"
    assert answer(machine, allowed["read"], architecture=0x40000003) == calls.KILL


@pytest.mark.parametrize("place, machine", [*enumerate(calls.MACHINES)])
def test_clone_makes_threads_and_ioctl_asks_about_terminals(place: int, machine: str) -> None:
    thread, process, new_user = 0x3D0F00, 0x1200011, 0x10000011
    assert [answer(machine, calls.CLONE[place], flags) for flags in (thread, process, new_user)] == [
        PERMIT, NOT_PERMITTED, NOT_PERMITTED]
    type_for_another, is_a_terminal = 0x5412, 0x5401
    assert answer(machine, calls.IOCTL[place], 0, is_a_terminal) == PERMIT
    assert answer(machine, calls.IOCTL[place], 0, type_for_another) == NOT_PERMITTED


@pytest.mark.parametrize("machine, headers", [("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
                                              ("aarch64", "/usr/include/asm-generic/unistd.h")])
def test_the_numbers_are_the_kernels(machine: str, headers: str) -> None:
    if not Path(headers).exists():
        pytest.skip(f"no {headers}: apt install linux-libc-dev")
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(headers).read_text())
    kernels = {{"fstatat": "newfstatat"}.get(name, name): int(number) for name, number in found}
    for name, number in (calls.numbers(machine) | table(REFUSED, machine)).items():
        assert kernels[name] == number, name


LIBRARIES = """
import asyncio, ctypes, sys, threading, zipfile
from concurrent.futures import ThreadPoolExecutor
from bnteach.course.exercises.grading import calls, namespaces
namespaces._prctl(namespaces.PR_SET_NO_NEW_PRIVS, 1)
calls.only_allowed()
import numpy as np, pandas as pd, networkx as nx, scipy.optimize, scipy.stats, matplotlib, json, os
matplotlib.use("agg")
import matplotlib.pyplot as plt
os.chdir(sys.argv[1])
assert np.linalg.eigvalsh(np.eye(300)).sum() == 300
pd.DataFrame({"x": [1, 2]}).to_csv("a.csv"); assert pd.read_csv("a.csv").x.sum() == 3
assert scipy.stats.chi2.sf(0, 1) == 1 and scipy.optimize.linprog([1], bounds=[(2, 3)]).x[0] == 2
assert nx.shortest_path_length(nx.path_graph(5), 0, 4) == 4
plt.plot([1, 2]); plt.savefig("a.png"); assert os.path.getsize("a.png")
with ThreadPoolExecutor(4) as pool: assert sum(pool.map(abs, range(-9, 0))) == 45
async def wait(): await asyncio.sleep(0.01); return await asyncio.to_thread(int, "7")
assert asyncio.run(wait()) == 7
for number in json.loads(sys.argv[2]):
    ctypes.set_errno(0)
    result = ctypes.CDLL(None, use_errno=True).syscall(number, 0, 0, 0, 0, 0)
    assert result == -1 and ctypes.get_errno() == 1, number
print("fine")
"""


@pytest.mark.usefixtures("namespaces")
def test_libraries_and_threads_run_under_the_filter_and_the_kernel_refuses_the_rest(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    harmless = ("io_setup", "userfaultfd", "socket", "memfd_create", "keyctl", "flock", "inotify_init1", "prctl")
    numbers = table(REFUSED, os.uname().machine)
    done = subprocess.run([sys.executable, "-c", LIBRARIES, tmp_path, json.dumps([numbers[name] for name in harmless])],
                          capture_output=True, text=True, cwd=Path(bn.__file__).parents[1],
                          env={**os.environ, "MPLCONFIGDIR": str(tmp_path)})
    assert done.stdout == "fine\n", done.stderr
