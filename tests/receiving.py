"""An address that takes what is sent to it, and answers as a test says."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """Keeps the headers and body of each request; answers with the statuses in their order, the last one for ever."""

    def __init__(self, statuses):
        self.statuses, self.taken = list(statuses), []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.taken.append((dict(self.headers.items()), body))
                waiting = receiver.statuses
                self.send_response(waiting.pop(0) if len(waiting) > 1 else waiting[0])
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *args):
                return

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/hook"


@contextmanager
def receiving(*statuses: int) -> Iterator[Receiver]:
    receiver = Receiver(statuses)
    thread = threading.Thread(target=receiver.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.http.shutdown()
        receiver.http.server_close()
