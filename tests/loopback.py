"""A small OpenAI-compatible server on this machine, which can be made to fail."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one request.

    Attributes:
        status: An HTTP error instead of an answer.
        headers: Sent with it, such as `Retry-After`.
        body: These bytes instead of the JSON answer.
        drop: Close the connection without a word.
        hang: Seconds of silence before the answer.
        null: Answer with `content: null`.
    """

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    drop: bool = False
    hang: float = 0.0
    null: bool = False


class Loopback:
    """Serves `/v1/chat/completions` and `/v1/completions` while its `with` block lasts.

    Args:
        answer: Turns a prompt (the last message) into the answer.
        faults: What goes wrong with the first requests, in their order; None for nothing.
        fault_of: What goes wrong with a prompt, every time it is asked.
    """

    def __init__(
        self,
        answer: Callable[[str], str],
        faults: Iterable[Fault | None] = (),
        fault_of: Callable[[str], Fault | None] = lambda prompt: None,
    ) -> None:
        self.answer, self.fault_of = answer, fault_of
        self.faults = deque(faults)
        self.requests: list[dict[str, Any]] = []
        self.times: list[float] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"owner": self}))
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """The address of the server, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def model_args(self, **more: Any) -> dict[str, Any]:
        """Arguments for `local-chat-completions`."""
        return {"model": "scripted", "base_url": f"{self.url}/v1/chat/completions", **more}

    @property
    def prompts(self) -> list[str]:
        """What has been asked so far."""
        return [_prompt(request) for request in self.requests]

    def __enter__(self) -> Loopback:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    owner: Loopback

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.owner.requests.append(request)
        self.owner.times.append(time.monotonic())
        prompt = _prompt(request)
        fault = (self.owner.faults.popleft() if self.owner.faults else None) or self.owner.fault_of(prompt) or Fault()
        time.sleep(fault.hang)
        if fault.drop:
            self.connection.close()
            return
        text = None if fault.null else self.owner.answer(prompt)
        choice = {"index": 0, "text": text, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        body = fault.body if fault.body is not None else json.dumps({"choices": [choice]}).encode()
        if fault.status != 200:
            body = json.dumps({"error": {"message": "as told"}}).encode()
        try:
            self.send_response(fault.status)
            for name, value in {"Content-Type": "application/json", **fault.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            pass  # the client has given up waiting

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _prompt(request: dict[str, Any]) -> str:
    if "messages" in request:
        return str(request["messages"][-1]["content"])
    prompt = request["prompt"]
    return str(prompt[0] if isinstance(prompt, list) else prompt)
