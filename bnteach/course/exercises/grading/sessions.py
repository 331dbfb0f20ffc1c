"""The grader's side of the sandbox: start it, send it a job, read its messages, and trust only how it ended.

    sandbox = Sandbox("namespaces")
    with sandbox.session(limits) as session:
        session.send(job)
        for message in session.messages(): ...
    session.ended       how the process ended: reported by its parent, which runs no student's code
"""

from __future__ import annotations

import json
import os
import signal
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
from bnteach.course.exercises.grading.namespaces import same_addresses
from bnteach.course.exercises.grading.view import SCRATCH

MAX_BYTES = 2_000_000  # of the messages for one question
START_SECONDS = 120
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "MPLBACKEND": "agg",
               "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
               "MALLOC_ARENA_MAX": "2", "PYTHONDONTWRITEBYTECODE": "1", "BNTEACH_PROGRESS": "off"}


class SandboxError(RuntimeError):
    """The sandbox does not start; this is not the submission's fault, and no other one would run either."""


@dataclass(frozen=True)
class Limits:
    """What one question may use: seconds of CPU time, bytes, and threads."""

    seconds: int = 20
    memory: int = 512 << 20
    file: int = 8 << 20
    threads: int = 64

    @property
    def longest(self) -> float:
        """When the grader stops listening: later than the sandbox ever stops a runner (zygote.patience)."""
        return 25 * self.seconds + 60


@dataclass(frozen=True)
class Ended:
    """How a runner ended: stopped by a limit of time, or with an exit status, which is minus the signal that ended it.

    `used` is its CPU time. It differs from run to run, so no record holds it.
    """

    late: bool
    status: int
    used: float = 0.0


class Sandbox:
    """A process with its imports done that runs one job after the other, each isolated from the others."""

    def __init__(self, kind: str):
        self.kind = kind
        self._process: subprocess.Popen | None = None
        self._control: socket.socket | None = None

    def start(self) -> None:
        """Start the process, and wait until it is ready."""
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
        """The next message of the process."""
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
        session = Session(ours, time.monotonic() + limits.longest)
        try:
            socket.send_fds(self._control, [json.dumps(asdict(limits)).encode()], [theirs.fileno()])
            theirs.close()
            yield session
        finally:
            ours.close()
            theirs.close()
            self._control.settimeout(limits.longest)
            session.ended = self._how_it_ended(session)

    def _how_it_ended(self, session: Session) -> Ended:
        """As the zygote says. What no submission can have done is an error of the grader, and costs nobody points."""
        said = self._hear()
        if "failed" in said:
            self.close()
            if self.kind == "namespaces" or not session.heard:  # elsewhere a submission can kill its parent
                raise RuntimeError(f"the sandbox failed: {said['failed']}")
            return Ended(late=False, status=-signal.SIGKILL)
        if not said["clean"]:
            self.close()  # the next one must not find what this one has left
        if self.kind == "namespaces" and said["status"] == -signal.SIGKILL and not said["late"]:
            raise RuntimeError("the sandbox was killed from outside, as Linux does when there is no memory left")
        return Ended(said["late"], said["status"], said["used"])

    def close(self) -> None:
        """End the process."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._control = None


def _environment(sandbox: str) -> dict[str, str]:
    """Nothing of the grader's own environment except the library path; HOME and TMPDIR are the scratch folder."""
    kept = {name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"}
    return {**ENVIRONMENT, **kept, **({} if sandbox == "none" else {"HOME": SCRATCH, "TMPDIR": SCRATCH})}


def _start(sandbox: str, control: int, complaints: BinaryIO) -> subprocess.Popen:
    """The process, connected to us by the socket of that number. With -I, Python would ignore PYTHONHASHSEED."""
    start = ("import sys; sys.path[:0] = [sys.argv[3]]; from bnteach.course.exercises.grading.zygote import main; "
             "main(int(sys.argv[1]), sys.argv[2])")
    arguments = [str(control), sandbox, str(Path(bnteach.__file__).parents[1])]
    return subprocess.Popen([sys.executable, "-sP", "-c", start, *arguments], pass_fds=[control], cwd="/",
                            env=_environment(sandbox), preexec_fn=same_addresses, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=complaints)


class Session:
    """One job: lines of JSON to and from the runner, limited in bytes and in time."""

    ended: Ended

    def __init__(self, channel: socket.socket, deadline: float):
        self.channel, self.deadline = channel, deadline
        self.left, self.garbled, self.heard, self._rest = MAX_BYTES, False, False, b""

    def send(self, text: str) -> None:
        """Send a line; a runner that has ended is noticed when reading."""
        try:
            self.channel.settimeout(max(0.1, self.deadline - time.monotonic()))
            self.channel.sendall(text.encode() + b"\n")
        except OSError:
            pass

    def messages(self) -> Iterator[dict[str, Any]]:
        """The runner's messages, until it ends, sends too much, or sends what is no JSON object (`garbled`)."""
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
            if (left := self.deadline - time.monotonic()) <= 0:  # even if data keep arriving slowly
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
