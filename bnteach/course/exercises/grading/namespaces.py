"""Linux namespaces, by the system calls themselves: a process with its own files, network and processes.

A user namespace lets anybody, not root alone, make the others. `enter` is called once, by the process that waits to
run submissions (zygote.py): it moves into the view of view.py, without a network. For each question, what is forked in
`next_world` is the first process of a world of its own: when it ends, everything in it ends. `isolate` gives it
a scratch folder. `confine` comes last, before a student's code: limits, and no privilege left, not even in there, and
some system calls refused (refused.py).
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from bnteach.course.exercises.grading.refused import refuse
from bnteach.course.exercises.grading.view import DEVICES, SCRATCH, View

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18
MNT_DETACH = 2
AT_EMPTY_PATH, AT_RECURSIVE, ATTR_RDONLY, ATTR_NOSUID = 0x1000, 0x8000, 1, 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
SYSCALLS = {"x86_64": {"pivot_root": 155, "capset": 126}, "aarch64": {"pivot_root": 41, "capset": 91}}
MOUNT_SETATTR = 442  # the same number everywhere; Linux 5.12
NOBODY = 65534


class NoSandbox(OSError):
    """This system does not let us make a sandbox; the message says what it refused."""


# -- once: into the view -----------------------------------------------------------------------------------------
def enter(view: View) -> int:
    """Move into the view, without network, as nobody in particular; returns in a new process, the first of its world.

    What is returned is the way back to that world, for `next_world`.
    """
    if sys.platform != "linux" or os.uname().machine not in SYSCALLS:
        raise NoSandbox("namespaces are there on Linux only (x86_64 or aarch64)")
    processes = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    others = NEWNET | NEWIPC | NEWUTS | NEWPID
    if os.geteuid() == 0:  # root can show folders that only root may enter; then it stops being root
        _unshare(NEWNS)
        _move_to(view)
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        _prctl(PR_SET_DUMPABLE, 1)  # or the files in /proc/self would still be root's
        _unshare(NEWUSER | NEWNS | others)
        _map_user(processes, NOBODY, NOBODY)
    else:
        user, group = os.getuid(), os.getgid()
        _unshare(NEWUSER | NEWNS | others)
        _map_user(processes, user, group)
        _move_to(view)
    _write(processes, "sys/user/max_user_namespaces", "0")  # nobody inside makes another one
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        os._exit(status != 0)
    die_with_parent()
    home = os.open("self/ns/pid", os.O_RDONLY, dir_fd=processes)
    os.close(processes)
    return home


def _map_user(processes: int, user: int, group: int) -> None:
    _write(processes, "self/setgroups", "deny")
    _write(processes, "self/uid_map", f"{NOBODY} {user} 1")
    _write(processes, "self/gid_map", f"{NOBODY} {group} 1")


def _move_to(view: View) -> None:
    """Build a root folder that has the view and nothing else, and make it the root; all of it read-only."""
    _mount(None, "/", None, MS_REC | MS_PRIVATE)  # what is mounted from here on is seen from here only
    root = Path("/sys")  # a folder that is always there, and that nobody here needs
    _mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    for link, target in view.links():
        _place(root, link).symlink_to(target)
    for folder in view.folders():
        _show(folder, root)
    for folder in view.covered:
        _mount("tmpfs", _place(root, folder), "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    for path in (*view.packages, *view.linked, *map(Path, DEVICES)):
        _show(path, root)
    _place(root, Path(SCRATCH)).mkdir()
    _place(root, Path("/.before")).mkdir()
    _pivot(root)


def _place(root: Path, path: Path) -> Path:
    """Where a path is under the new root; the folders above it are made."""
    place = root / path.relative_to("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _show(path: Path, root: Path) -> None:
    place = _place(root, path)
    if path.is_dir():
        place.mkdir(exist_ok=True)
    elif not place.exists():
        place.touch()
    _mount(path, place, None, MS_BIND | MS_REC)


def _pivot(root: Path) -> None:
    """Make it the root, let go of the old one, and make everything read-only."""
    os.chdir(root)
    _system_call(SYSCALLS[os.uname().machine]["pivot_root"], b".", b".before")
    os.chdir("/")
    _check(_libc().umount2(b"/.before", MNT_DETACH), "umount")
    attributes = (ctypes.c_uint64 * 4)(ATTR_RDONLY | ATTR_NOSUID, 0, 0, 0)
    here = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    _system_call(MOUNT_SETATTR, here, b"", AT_EMPTY_PATH | AT_RECURSIVE, attributes, ctypes.sizeof(attributes))
    os.close(here)


# -- for each question ---------------------------------------------------------------------------------------------
@contextmanager
def next_world(home: int) -> Iterator[None]:
    """What is forked here is the first process of a new world."""
    _unshare(NEWPID)
    try:
        yield
    finally:
        _check(_libc().setns(home, NEWPID), "setns")


def isolate(scratch_bytes: int = 16 << 20) -> None:
    """A network of nobody and a scratch folder of one's own."""
    _unshare(NEWNS | NEWNET | NEWIPC | NEWUTS)
    _mount("tmpfs", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, f"size={scratch_bytes},nr_inodes=1000,mode=777")


def die_with_parent() -> None:
    """Be killed when the parent ends, however it ends."""
    if sys.platform == "linux":
        _prctl(PR_SET_PDEATHSIG, 9)


def keep_to_oneself() -> None:
    """Let no other process of this user look into this one's memory."""
    if sys.platform == "linux":
        _prctl(PR_SET_DUMPABLE, 0)


def confine(limits: Mapping[str, int], strict: bool) -> None:
    """Limits on this process and on all that it may start, and no privileges any more.

    Where a system cannot refuse calls, it has no namespaces for us either; elsewhere (not `strict`) it goes without.
    """
    for what, most in (("RLIMIT_CPU", limits["cpu"]), ("RLIMIT_AS", limits["memory"]), ("RLIMIT_FSIZE", limits["file"]),
                       ("RLIMIT_NOFILE", 64), ("RLIMIT_NPROC", limits["processes"]), ("RLIMIT_CORE", 0)):
        if hasattr(resource, what):
            _, hard = resource.getrlimit(getattr(resource, what))
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(getattr(resource, what), (most, most))
    if sys.platform == "linux":
        _prctl(PR_SET_NO_NEW_PRIVS, 1)
        if machine := SYSCALLS.get(os.uname().machine):
            header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
            _system_call(machine["capset"], header, none)
        with nullcontext() if strict else suppress(OSError):
            refuse()


def addresses_in_use() -> int:
    """How much this process has mapped, in bytes; 0 where that cannot be known. In the view there is no /proc."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


# -- the system calls ------------------------------------------------------------------------------------------------
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result:
        raise NoSandbox(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def _unshare(flags: int) -> None:
    _check(_libc().unshare(flags), "unshare")


def _prctl(option: int, value: int) -> None:
    _check(_libc().prctl(option, ctypes.c_ulong(value), 0, 0, 0), "prctl")


def _mount(source: object, target: object, kind: str | None, flags: int, options: str = "") -> None:
    _check(_libc().mount(source and os.fsencode(str(source)), os.fsencode(str(target)), kind and kind.encode(),
                         ctypes.c_ulong(flags), options.encode() or None), f"mount {target}")


def _system_call(number: int, *arguments: object) -> None:
    whole = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    _check(_libc().syscall(ctypes.c_long(number), *whole), f"system call {number}")


def _write(folder: int, name: str, text: str) -> None:
    file = os.open(name, os.O_WRONLY, dir_fd=folder)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)
