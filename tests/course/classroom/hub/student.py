"""A student at the Hub: logs in, starts a server, runs code in it, stops it. Only HTTP, as a browser would do it."""

from __future__ import annotations

import asyncio
import json
import uuid
from dataclasses import dataclass, field
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

PATIENCE = 120  # seconds for anything that ends


@dataclass
class Student:
    """One student's session."""

    name: str
    hub: str  # http://127.0.0.1:8000
    token: str = ""
    kernel: str = ""
    socket: WebSocketClientConnection | None = field(default=None, repr=False)

    async def ask(self, path: str, method: str = "GET", body: Any = None, token: str | None = None) -> Any:
        """One request, and its answer as JSON; an error that is no JSON is raised."""
        headers = {"Authorization": f"token {token or self.token}"} if token or self.token else {}
        request = HTTPRequest(self.hub + path, method=method, headers=headers, request_timeout=PATIENCE,
                              body=json.dumps(body) if body is not None else b"" if method != "GET" else None,
                              allow_nonstandard_methods=True)
        answer = await AsyncHTTPClient().fetch(request)
        return json.loads(answer.body) if answer.body else None

    async def status(self, path: str, token: str) -> int:
        """What a request with somebody's token is answered with."""
        try:
            await self.ask(path, token=token)
        except HTTPClientError as error:
            return error.code
        return 200

    async def log_in(self) -> None:
        """With the dummy authenticator any password will do."""
        login = {"auth": {"username": self.name, "password": "anything"}}
        self.token = (await self.ask(f"/hub/api/users/{self.name}/tokens", "POST", login))["token"]

    async def start(self) -> None:
        """Start the server, and wait until it answers."""
        await self.ask(f"/hub/api/users/{self.name}/server", "POST", {})
        for _ in range(4 * PATIENCE):
            servers = (await self.ask(f"/hub/api/users/{self.name}"))["servers"]
            if servers.get("", {}).get("ready"):
                return
            assert servers, f"the server of {self.name} did not start"
            await asyncio.sleep(0.25)
        raise AssertionError(f"the server of {self.name} did not become ready")

    async def stop(self) -> None:
        if self.socket:
            self.socket.close()
        await self.ask(f"/hub/api/users/{self.name}/server", "DELETE")

    async def server(self, path: str, method: str = "GET", body: Any = None) -> Any:
        """Ask one's own server."""
        return await self.ask(f"/user/{self.name}/{path}", method, body)

    async def run(self, code: str) -> str:
        """Run a cell in a kernel of one's server; what it prints and shows, or AssertionError with its traceback."""
        if not self.socket:
            await self.open_kernel()
        id = uuid.uuid4().hex
        await self.socket.write_message(json.dumps({
            "header": {"msg_id": id, "msg_type": "execute_request", "username": self.name, "session": id,
                       "version": "5.3"}, "parent_header": {}, "metadata": {}, "channel": "shell",
            "content": {"code": code, "silent": False, "store_history": False, "allow_stdin": False}}))
        said = []
        while True:
            message = json.loads(await asyncio.wait_for(self.socket.read_message(), PATIENCE))
            if message["parent_header"].get("msg_id") != id:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "stream":
                said.append(content["text"])
            elif kind in ("execute_result", "display_data"):
                said.append(content["data"].get("text/plain", ""))
            elif kind == "error":
                raise AssertionError("\n".join([*said, *content["traceback"]]))
            elif kind == "status" and content["execution_state"] == "idle":
                return "".join(said)

    async def open_kernel(self) -> None:
        kernel = await self.server("api/kernels", "POST", {"name": "python3"})
        url = f"{self.hub.replace('http', 'ws', 1)}/user/{self.name}/api/kernels/{kernel['id']}/channels"
        self.socket = await websocket_connect(HTTPRequest(url, headers={"Authorization": f"token {self.token}"}))

    async def shell(self, *command: str) -> str:
        """Run a command as in a terminal of one's server."""
        return await self.run("import subprocess\n"
                              f"done = subprocess.run({list(command)!r}, capture_output=True, text=True)\n"
                              "print(done.stdout + done.stderr)\nassert done.returncode == 0, done.stderr")
