"""A small OpenAI-compatible server on 127.0.0.1 for tests: scripted answers, tool calls, troubles and slow streams.

    server.reply("Leeds hub")                           every request is answered with this
    server.script(["one", calls(track='{"id": 1}'), trouble(429, retry_after=0.1), "two"])
                                                        one entry a request, the last one from then on
    server.answer = lambda request: "judged"            a callable that is given the request as JSON

An entry is a text, an `Answer`, or a callable. `server.requests` are the JSON bodies in their order, `server.headers`
their headers, `server.url` the base address.
"""

import json
import socketserver
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

TOGETHER_SECONDS = 240
DONE = "[DONE]"


@dataclass
class Answer:
    """What the server does with one request.

    `delay` are seconds before the first byte, `token_delay` seconds before each token; `raw` is sent as it stands;
    `breaks_after` closes the connection after so many tokens. No answer is given before `together` requests have once
    been there at the same time, or `TOGETHER_SECONDS` have passed.
    """

    text: str = ""
    tool_calls: list = field(default_factory=list)
    finish_reason: str = "stop"
    usage: dict | None = field(default_factory=lambda: {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10})
    status: int = 200
    headers: dict = field(default_factory=dict)
    error: dict | str | None = None
    raw: bytes | None = None
    delay: float = 0.0
    token_delay: float = 0.0
    breaks_after: int | None = None
    output: list | None = None
    together: int = 1


def calls(**tools):
    """An answer that calls tools: name -> text of the arguments, or a list of such texts."""
    wanted = [(name, text) for name, texts in tools.items() for text in (texts if isinstance(texts, list) else [texts])]
    made = [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": text}}
        for number, (name, text) in enumerate(wanted, 1)
    ]
    return Answer(tool_calls=made, finish_reason="tool_calls")


def trouble(status, message="It does not work.", retry_after=None, **more):
    """An answer with an error status."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Answer(status=status, error={"message": message, **more}, headers=headers)


class Load:
    """The requests of one test that are being answered; those of an earlier test count no more."""

    def __init__(self):
        self.changed = threading.Condition()
        self.over = threading.Event()
        self.busy = self.most_busy = 0

    def count(self, step):
        with self.changed:
            self.busy += step
            self.most_busy = max(self.most_busy, self.busy)
            self.changed.notify_all()

    def hold_back(self, answer):
        """Wait as long as an answer wants it, or until its test lets it go or is over."""
        with self.changed:
            self.changed.wait_for(lambda: self.over.is_set() or self.most_busy >= answer.together, TOGETHER_SECONDS)
        self.over.wait(answer.delay)


class ModelServer:
    """The server; every test begins with `reset`."""

    def __init__(self):
        self.http = Http(("127.0.0.1", 0), Handler)
        self.http.owner = self
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        self.lock = threading.Lock()
        self.load = Load()
        self.reset()
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def reset(self):
        self.requests, self.headers, self.paths = [], [], []
        self.connections = 0
        self.let_go()
        self.load = Load()
        self.answer = lambda request: "Hello."

    def let_go(self):
        """Let all answers of this test go, also those that wait for others."""
        with self.load.changed:
            self.load.over.set()
            self.load.changed.notify_all()

    def reply(self, text, **more):
        self.answer = lambda request: Answer(text, **more)

    def script(self, entries):
        left = list(entries)

        def answer(request):
            entry = left.pop(0) if len(left) > 1 else left[0]
            return entry(request) if callable(entry) else entry

        self.answer = answer

    def take(self, path, headers, request):
        with self.lock:
            self.paths.append(path)
            self.headers.append(headers)
            self.requests.append(request)
            found = self.answer(request)
        return Answer(found) if isinstance(found, str) else found

    @property
    def most_busy(self):
        """How many requests were answered at the same time, at the most."""
        return self.load.most_busy

    def close(self):
        self.http.shutdown()
        self.http.server_close()


class Http(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """A client that went away in the middle is part of many tests."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    load = None

    def setup(self):
        super().setup()
        self.server.owner.connections += 1

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.send(200, "application/json", json.dumps({"data": [{"id": "small-model"}]}).encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        request = json.loads(body) if body else None
        owner = self.server.owner
        self.load = load = owner.load
        load.count(1)
        try:
            answer = owner.take(self.path, {name.lower(): value for name, value in self.headers.items()}, request)
            load.hold_back(answer)
            self.give(answer, request if isinstance(request, dict) else {})
        finally:
            self.answered()

    def answered(self):
        """Count the request no more. It happens before the last bytes: who has them may ask anew at once."""
        if self.load is not None:
            self.load.count(-1)
            self.load = None

    def give(self, answer, request):
        if answer.raw is not None:
            self.send(answer.status, answer.headers.get("Content-Type", "application/json"), answer.raw, answer.headers)
        elif answer.error is not None:
            self.send(answer.status, "application/json", json.dumps({"error": answer.error}).encode(), answer.headers)
        elif self.path.endswith("/responses"):
            self.send(200, "application/json", json.dumps(responses_body(answer, request)).encode())
        elif request.get("stream"):
            self.stream(answer, request)
        else:
            time.sleep(answer.token_delay * len(answer.text.split()))
            self.send(200, "application/json", json.dumps(completion(answer, request)).encode())

    def send(self, status, kind, body, headers=None):
        self.answered()
        self.send_response(status)
        for name, value in {"Content-Type": kind, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, answer, request):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(stream_events(answer, request)):
            if answer.breaks_after is not None and number >= answer.breaks_after:
                self.answered()
                self.close_connection = True
                self.connection.close()
                return
            time.sleep(answer.token_delay)
            if event == DONE:
                self.answered()
            self.chunk(f"data: {event}\n\n".encode())
        self.chunk(b"")

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()


def completion(answer, request):
    message = {"role": "assistant", "content": answer.text or None}
    if answer.tool_calls:
        message["tool_calls"] = answer.tool_calls
    choice = {"index": 0, "message": message, "finish_reason": answer.finish_reason}
    return {"id": "chatcmpl-1", "model": request.get("model"), "choices": [choice], "usage": answer.usage}


def responses_body(answer, request):
    message = {"type": "message", "content": [{"type": "output_text", "text": answer.text}]}
    usage = {"input_tokens": 11, "output_tokens": 5}
    output = answer.output if answer.output is not None else [{"type": "web_search_call"}, message]
    return {"id": "resp_1", "model": request.get("model"), "status": "completed", "output": output, "usage": usage}


def stream_events(answer, request):
    """The chunks of a stream: a word each, tool calls in pieces, then usage where it was asked for."""
    for piece in pieces(answer.text):
        yield chunk_of(request, {"content": piece})
    for index, call in enumerate(answer.tool_calls):
        function = call["function"]
        opening = {"index": index, "id": call["id"], "type": "function"}
        yield chunk_of(request, {"tool_calls": [{**opening, "function": {"name": function["name"], "arguments": ""}}]})
        for start in range(0, len(function["arguments"]), 5):
            part = {"index": index, "function": {"arguments": function["arguments"][start : start + 5]}}
            yield chunk_of(request, {"tool_calls": [part]})
    yield chunk_of(request, {}, answer.finish_reason)
    if (request.get("stream_options") or {}).get("include_usage") and answer.usage:
        yield json.dumps({"model": request.get("model"), "choices": [], "usage": answer.usage})
    yield DONE


def pieces(text):
    words = text.split(" ")
    return [word if number == 0 else f" {word}" for number, word in enumerate(words)] if text else []


def chunk_of(request, delta, finish_reason=None):
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return json.dumps({"model": request.get("model"), "choices": [choice], "usage": None})


@contextmanager
def serving():
    """A server for the time of the block."""
    server = ModelServer()
    try:
        yield server
    finally:
        server.close()
