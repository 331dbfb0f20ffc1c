"""Linux namespaces, by direct system calls: a process with its own files, network and processes.

Root may create them; an ordinary user may, inside a user namespace. `enter` is called once, by the process that waits
to run submissions (zygote.py): it moves into the view of view.py, without a network. For each question, the process
forked in `new_pid_namespace` is the first of a PID namespace: when it ends, all processes in it end. `isolate` gives it
a scratch folder. `confine` comes last, before a student's code: it sets limits, drops all privileges, and leaves only
the system calls of calls.py. Root becomes a user there that nobody else is.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import select
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from bnteach.course.exercises.grading.calls import only_allowed
from bnteach.course.exercises.grading.view import DEVICES, SCRATCH, View

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18
MNT_DETACH = 2
AT_EMPTY_PATH, AT_RECURSIVE, ATTR_RDONLY, ATTR_NOSUID = 0x1000, 0x8000, 1, 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
SAME_ADDRESSES = 0x40000
SYSCALLS = {"x86_64": {"pivot_root": 155, "capset": 126}, "aarch64": {"pivot_root": 41, "capset": 91}}
MOUNT_SETATTR = 442  # the same number everywhere; Linux 5.12
NOBODY, NEW_USERS = 65534, 2_000_000_000


class NoSandbox(OSError):
    """This system does not allow the sandbox; the message says what it refused."""


# -- once: into the view -----------------------------------------------------------------------------------------
def enter(view: View) -> int:
    """Move into the view, without network; returns in a new process, the first of a PID namespace.

    Returns a handle of that namespace, for `new_pid_namespace`.
    """
    global _new_user
    if sys.platform != "linux" or os.uname().machine not in SYSCALLS:
        raise NoSandbox("namespaces exist on Linux only (x86_64 or aarch64)")
    processes = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    root, user, group = os.geteuid() == 0, os.getuid(), os.getgid()
    _new_user = NEW_USERS + os.getpid()
    _unshare((0 if root else NEWUSER) | NEWNS | NEWNET | NEWIPC | NEWUTS | NEWPID)
    if not root:
        _map_user(processes, user, group)
        _write(processes, "sys/user/max_user_namespaces", "0")  # no further user namespaces inside
    os.umask(0o022)
    _move_to(view)
    lifeline, ours = os.pipe()
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        os._exit(status != 0)
    os.close(ours)
    die_with_parent(lifeline)
    home = os.open("self/ns/pid", os.O_RDONLY, dir_fd=processes)
    os.close(processes)
    return home


_new_user = NOBODY


def _map_user(processes: int, user: int, group: int) -> None:
    _write(processes, "self/setgroups", "deny")
    _write(processes, "self/uid_map", f"{NOBODY} {user} 1")
    _write(processes, "self/gid_map", f"{NOBODY} {group} 1")


def _move_to(view: View) -> None:
    """Build a root folder with the view and nothing else, and make it the root; all of it read-only."""
    _mount(None, "/", None, MS_REC | MS_PRIVATE)  # later mounts are visible only here
    root = Path("/sys")  # a folder that always exists and is not needed here
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
    """The path under the new root; its parent folders are created."""
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
    """Make it the root, unmount the old one, and make everything read-only."""
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
def new_pid_namespace(home: int) -> Iterator[None]:
    """A process forked here is the first of a new PID namespace."""
    _unshare(NEWPID)
    try:
        yield
    finally:
        _check(_libc().setns(home, NEWPID), "setns")


def isolate(scratch_bytes: int = 16 << 20) -> None:
    """An empty network namespace and a separate scratch folder."""
    _unshare(NEWNS | NEWNET | NEWIPC | NEWUTS)
    _mount("tmpfs", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, f"size={scratch_bytes},nr_inodes=1000,mode=777")


def give_up_root() -> None:
    """Root becomes a user whose number nobody else has; or nobody, where such numbers do not exist (a container)."""
    if os.geteuid() != 0:
        return
    os.setgroups([])
    for user in (_new_user, NOBODY):
        with suppress(OSError):
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            return
    raise NoSandbox("root cannot become another user here")


def die_with_parent(lifeline: int) -> None:
    """Have this process killed when its parent ends, however it ends; end at once if it is gone already.

    `lifeline` is a pipe or socket whose other end only the parent has: inside a PID namespace, no number says who the
    parent is. A change of user undoes this, so it is done again afterwards.
    """
    if sys.platform == "linux":
        _prctl(PR_SET_PDEATHSIG, 9)
    poll = select.poll()
    poll.register(lifeline, 0)
    if poll.poll(0):
        os._exit(1)


def same_addresses() -> None:
    """Have the program that is started next use the same addresses in every run: some orders depend on them."""
    if sys.platform == "linux":
        _libc().personality(ctypes.c_ulong(SAME_ADDRESSES))  # where that is refused, only these orders vary


def keep_to_oneself() -> None:
    """Prevent other processes of this user from reading this one's memory."""
    if sys.platform == "linux":
        _prctl(PR_SET_DUMPABLE, 0)


def confine(limits: Mapping[str, int], strict: bool) -> None:
    """Set limits on this process and on its threads, and drop all privileges.

    If `strict`, a system that cannot refuse calls is an error; otherwise the calls stay allowed.
    """
    for what, most in (("RLIMIT_CPU", limits["seconds"]), ("RLIMIT_AS", limits["memory"]),
                       ("RLIMIT_FSIZE", limits["file"]), ("RLIMIT_NOFILE", 64), ("RLIMIT_NPROC", limits["threads"]),
                       ("RLIMIT_CORE", 0)):
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
            only_allowed()


def addresses_in_use() -> int:
    """The address space of this process in bytes; 0 where it is unknown, as without /proc."""
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
    if _libc().unshare(flags):  # the error for "too many" is the one for a full disk, which would mislead
        raise NoSandbox(f"this system does not allow namespaces here (unshare: {errno.errorcode[ctypes.get_errno()]})")


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
