"""The Hub of the test: the instructor's own configuration, test profile, at ports that are free."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from tornado.httpclient import HTTPClientError

from tests.course.classroom.hub.student import PATIENCE, Student
from tests.course.classroom.hub.world import PROGRAMS, World

AT_ONCE = 4
LEFT_OUT = ["jupyterlab", "jupyter_lsp", "jupyter_server_terminals", "notebook", "nbgitpuller", *(
    f"nbgrader.server_extensions.{part}" for part in ("formgrader", "course_list", "validate_assignment"))]
CONFIG = """
load_subconfig("class/jupyterhub_config.py")
c = get_config()
c.JupyterHub.bind_url = "http://127.0.0.1:{0}"
c.JupyterHub.hub_port = {1}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{2}"
c.ConfigurableHTTPProxy.command = [{proxy!r}]
c.JupyterHub.concurrent_spawn_limit = {at_once}
c.Spawner.environment["JUPYTER_CONFIG_PATH"] = {jupyter!r}  # what postBuild would set for the whole environment
"""


def free_ports(count: int) -> list[int]:
    """Ports that nobody uses now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def start_hub(world: World, proxy: str) -> tuple[subprocess.Popen[bytes], str]:
    """The Hub as the instructor's own files describe it, with the test profile."""
    ports = free_ports(3)
    config = world.base / "config.py"
    config.write_text(CONFIG.format(*ports, proxy=proxy, jupyter=str(settings_of(world)), at_once=AT_ONCE))
    settings = {"BNTEACH_HUB": "test", "BNTEACH_EXCHANGE": str(world.exchange), "PYTHONPATH": str(world.base / "quick"),
                "BNTEACH_HUB_STATE": str(world.base / "state"), **PROGRAMS}
    with open(world.base / "hub.log", "wb") as log:
        hub = subprocess.Popen([sys.executable, "-m", "jupyterhub", "-f", str(config)], cwd=world.base, stdout=log,
                               stderr=log, env={**os.environ, **settings})
    return hub, f"http://127.0.0.1:{ports[0]}"


def settings_of(world: World) -> Path:
    """Settings for the students' servers: nbgrader's, and light ones, with its list of assignments alone."""
    folder = world.base / "jupyter"
    (folder / "jupyter_server_config.d").mkdir(parents=True)
    parts = {"ServerApp": {"jpserver_extensions": dict.fromkeys(LEFT_OUT, False)}}
    (folder / "jupyter_server_config.d" / "class.json").write_text(json.dumps(parts))
    shutil.copy(world.folder / "nbgrader_config.py", folder)
    return folder


async def until_it_answers(hub: subprocess.Popen[bytes], url: str) -> None:
    for _ in range(4 * PATIENCE):
        assert hub.poll() is None, "the Hub ended"
        try:
            await Student("nobody", url).ask("/hub/api")
            return
        except (OSError, HTTPClientError):  # nobody is there, or only the proxy
            await asyncio.sleep(0.25)
    raise AssertionError("the Hub does not answer")
