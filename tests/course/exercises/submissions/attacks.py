"""Code of submissions that attack the sandbox; sins.py says what comes of it."""

from __future__ import annotations

from tests.course.exercises.submissions.tricks import RIGHT

CALL = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
numbers = {"x86_64": X86, "aarch64": ARM}
result = libc.syscall(numbers[os.uname().machine], ARGUMENTS)
assert result >= 0, os.strerror(ctypes.get_errno())
"""


def call(x86: int, arm: int, arguments: str) -> str:
    """A system call, which fails with an AssertionError that says why."""
    return CALL.replace("X86", str(x86)).replace("ARM", str(arm)).replace("ARGUMENTS", arguments)


WORK_FOR_THE_KERNEL = call(206, 0, "8, ctypes.byref(ctypes.c_ulong())")
PAGES_ON_DEMAND = call(323, 282, "0")
ANOTHERS_MEMORY = call(310, 270, "1, None, 0, None, 0, 0")
TO_THE_HOST = "import socket\nsocket.socket(40, socket.SOCK_STREAM).connect((2, 22))"  # AF_VSOCK
A_LOCK_TO_SEE = "import fcntl, os\nfcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX)"
OWN_PROGRAM = """
import os
with open("program", "w") as file: file.write("#!/bin/sh\\necho here")
os.chmod("program", 0o777)
os.execv("./program", ["program"])
"""
OLD_CALLS = """
import ctypes, mmap
code = mmap.mmap(-1, 4096, prot=7)
code.write(b"\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3")  # getpid by the numbers of 32-bit programs
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
"""
NO_LIMIT = """
import resource, signal
signal.signal(signal.SIGXCPU, signal.SIG_IGN)
try: resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
except ValueError: pass
while True: pass
"""
THREAD_BOMB = """
import threading, time
threading.stack_size(32768)
while True: threading.Thread(target=time.sleep, args=(600,)).start()
"""
BUSY_THREADS = """
import hashlib, threading
def work():
    while True: hashlib.sha256(bytes(1 << 20))
def kruskal(weights):
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""
EARLIER_THREAD = """
import queue, START
import bnteach as bn
inputs, outputs = queue.Queue(), queue.Queue()
def work():
    while True: outputs.put(bn.kruskal(inputs.get()).graph)
START
def kruskal(weights):
    inputs.put(weights)
    return outputs.get()
"""
BY_A_THREAD = EARLIER_THREAD.replace("START", "threading", 1).replace(
    "START", "threading.Thread(target=work, daemon=True).start()")
BY_A_BARE_THREAD = EARLIER_THREAD.replace("START", "_thread", 1).replace("START", "_thread.start_new_thread(work, ())")
HONEST_THREADS = f"""
from concurrent.futures import ThreadPoolExecutor
{RIGHT}
alone = kruskal
def kruskal(weights):
    with ThreadPoolExecutor(8) as pool: return list(pool.map(alone, [weights] * 8))[0]
"""
SLOW_DRIP = """
import time
def kruskal(weights):
    while True:
        time.sleep(0.2)
        print("still here")
"""
LEFT_EVERYWHERE = """
import os, sys
for folder in ["/scratch", "/", "/dev", *sys.path, os.path.dirname(os.__file__)]:
    for name in ("sitecustomize.py", "json.py", "left"):
        try: open(os.path.join(folder, name), "x").write("raise SystemExit")
        except OSError: pass
def kruskal(weights): return []
"""
