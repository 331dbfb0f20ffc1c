"""The grader's side of the sandbox: start it, hand it a job, listen to it, and believe nothing but how it ended.

    sandbox = Sandbox("namespaces")
    with sandbox.session(limits) as session:
        session.send(job)
        for message in session.messages(): ...
    session.ended       how the process ended: said by its parent, which runs no student's code
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import bnteach
from bnteach.course.exercises.grading import bubblewrap
from bnteach.course.exercises.grading.view import SCRATCH, program

MOST_BYTES = 2_000_000  # that one question may say
START_SECONDS = 120
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "MPLBACKEND": "agg",
               "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
               "PYTHONDONTWRITEBYTECODE": "1", "BNTEACH_PROGRESS": "off"}


class SandboxError(RuntimeError):
    """The sandbox does not start; nothing is wrong with the submission, and no other one would fare better."""


@dataclass(frozen=True)
class Limits:
    """What one question may use. Seconds, bytes, and processes: the runner, the zygote, and the zygote's parent."""

    wall: float = 20
    cpu: int = 10
    memory: int = 512 << 20
    file: int = 8 << 20
    processes: int = 3


@dataclass(frozen=True)
class Ended:
    """How a runner ended: too late, or with an exit status, which is minus the signal that killed it."""

    late: bool
    status: int
    seconds: float = 0.0


class Sandbox:
    """A warm process that runs one job after the other, each in a world of its own."""

    def __init__(self, kind: str):
        self.kind = kind
        self._process: subprocess.Popen | None = None
        self._control: socket.socket | None = None

    def start(self) -> None:
        """Start the warm process, and wait until it is ready."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET if sys.platform == "linux" else
                                         socket.SOCK_DGRAM)
        self._control = ours
        with theirs, tempfile.TemporaryFile() as complaints:
            try:
                self._process = _start(self.kind, theirs.fileno(), complaints)
            except OSError as error:
                self.close()
                raise SandboxError(str(error)) from None
            theirs.close()
            ours.settimeout(START_SECONDS)
            said = self._hear()
            if "ready" not in said:
                self.close()
                complaints.seek(0)
                why = said.get("refused") or " ".join(complaints.read().decode(errors="replace").split())[-300:]
                raise SandboxError(why or said["failed"])

    def _hear(self) -> dict[str, Any]:
        """What the warm process says."""
        try:
            message = self._control.recv(65536)
        except OSError as error:
            return {"failed": str(error)}
        return json.loads(message) if message else {"failed": "the sandbox is gone"}

    @contextmanager
    def session(self, limits: Limits) -> Iterator[Session]:
        """A conversation with a new runner. Afterwards `session.ended` says how it ended."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            self.start()
        ours, theirs = socket.socketpair()
        session = Session(ours, time.monotonic() + limits.wall + 5)
        try:
            socket.send_fds(self._control, [json.dumps(asdict(limits)).encode()], [theirs.fileno()])
            theirs.close()
            yield session
        finally:
            ours.close()
            theirs.close()
            self._control.settimeout(limits.wall + 10)
            said = self._hear()
            if "failed" in said:
                self.close()
                if self.kind == "namespaces" or not session.heard:  # elsewhere a submission can kill its parent
                    raise RuntimeError(f"the sandbox failed: {said['failed']}")
            elif not said["clean"]:
                self.close()  # the next one does not find what this one has left
            session.ended = Ended(said.get("late", False), said.get("status", -9), said.get("seconds", 0.0))

    def next_submission(self) -> None:
        """Where questions do not have a world each, submissions do: begin with a new one."""
        if self.kind == "bubblewrap":
            self.close()

    def close(self) -> None:
        """End the warm process."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._control = None


def _environment(sandbox: str) -> dict[str, str]:
    """Nothing of the grader's own environment, but where libraries are; and files are written where they can be."""
    kept = {name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"}
    return {**ENVIRONMENT, **kept, **({} if sandbox == "none" else {"HOME": SCRATCH, "TMPDIR": SCRATCH})}


def _start(sandbox: str, control: int, complaints: BinaryIO) -> subprocess.Popen:
    """The warm process, talking to us over the socket of that number."""
    if sandbox == "bubblewrap":
        return _start_in_bubblewrap(control, complaints)
    start = ("import sys; sys.path[:0] = [sys.argv[3]]; from bnteach.course.exercises.grading.zygote import main; "
             "main(int(sys.argv[1]), sys.argv[2])")
    arguments = [str(control), sandbox, str(Path(bnteach.__file__).parents[1])]
    return subprocess.Popen([sys.executable, "-I", "-c", start, *arguments], pass_fds=[control],
                            env=_environment(sandbox), cwd="/", stdin=subprocess.DEVNULL, stderr=complaints)


def _start_in_bubblewrap(control: int, complaints: BinaryIO) -> subprocess.Popen:
    with tempfile.TemporaryFile() as archive:
        bubblewrap.pack(archive)
        archive.seek(0)
        path = [entry for entry in sys.path if entry.endswith("-packages")] + [str(bubblewrap.PACKAGE.parent)]
        told = json.dumps([control, path, archive.fileno(), str(bubblewrap.PACKAGE)])
        python = [str(program()), "-I", "-c", bubblewrap.UNPACK, told]
        command = [*bubblewrap.command(_environment("bubblewrap")), *python]
        return subprocess.Popen(command, pass_fds=[control, archive.fileno()], stdin=subprocess.DEVNULL,
                                stderr=complaints)


class Session:
    """One job: lines of JSON to the runner and from it, not more than so many bytes, not longer than so long."""

    ended: Ended

    def __init__(self, channel: socket.socket, deadline: float):
        self.channel, self.deadline = channel, deadline
        self.left, self.garbled, self.heard, self._rest = MOST_BYTES, False, False, b""

    def send(self, text: str) -> None:
        """Send a line; a runner that is gone will be noticed when listening."""
        try:
            self.channel.settimeout(max(0.1, self.deadline - time.monotonic()))
            self.channel.sendall(text.encode() + b"\n")
        except OSError:
            pass

    def messages(self) -> Iterator[dict[str, Any]]:
        """What the runner says, until it ends, says too much, or says what is no JSON object (`garbled`)."""
        while (line := self._line()) is not None:
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                message = None
            if not isinstance(message, dict):
                self.garbled = True
                return
            yield message

    def _line(self) -> bytes | None:
        while b"\n" not in self._rest:
            if (left := self.deadline - time.monotonic()) <= 0:  # however slowly it goes on
                return None
            try:
                self.channel.settimeout(left)
                piece = self.channel.recv(65536)
            except OSError:
                return None
            self.left -= len(piece)
            self.heard = self.heard or bool(piece)
            if self.left < 0:
                self.garbled = True
            if not piece or self.left < 0:
                return None
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line

