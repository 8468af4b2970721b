"""Git repositories over http, served by git's own back end, with a password where one is set."""

import os
import subprocess
import threading
from base64 import b64encode
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.runs.workspaces import git


class Served:
    """The repositories below a folder; `address` is the beginning of their URLs."""

    def __init__(self, folder, address, allowed):
        self.folder, self.address, self.allowed = folder, address, allowed

    def make(self, name, files, branch="main"):
        """A repository with one commit of these files (path to bytes); its URL."""
        work = self.folder / f"{name}-work"
        work.mkdir()
        git(work, "init", "--quiet", f"--initial-branch={branch}")
        # Bytes are committed as they are given.
        (work / ".git" / "info" / "attributes").write_text("* -text\n")
        self.commit(name, files)
        git(self.folder, "clone", "--quiet", "--bare", str(work), f"{name}.git")
        git(self.folder / f"{name}.git", "config", "http.receivepack", "true")
        git(work, "remote", "add", "origin", str(self.folder / f"{name}.git"))
        return f"{self.address}/{name}.git"

    def empty(self, name):
        """A repository without a commit; its URL."""
        git(self.folder, "init", "--quiet", "--bare", f"{name}.git")
        git(self.folder / f"{name}.git", "config", "http.receivepack", "true")
        return f"{self.address}/{name}.git"

    def commit(self, name, files, message="change"):
        """Commit in the working copy: bytes by path, None for what goes."""
        work = self.folder / f"{name}-work"
        for path, content in files.items():
            target = work / path
            if content is None:
                target.unlink()
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        git(work, "add", "--all")
        git(work, "commit", "--quiet", "--allow-empty", "-m", message)

    def push(self, name, files, message="change"):
        """What somebody else does: pull, change, push."""
        work = self.folder / f"{name}-work"
        git(work, "pull", "--quiet", "--ff-only", "origin", "HEAD")
        self.commit(name, files, message)
        git(work, "push", "--quiet", "origin", "HEAD")

    def at(self, name, branch="main"):
        """The files of a branch, path to bytes, and who made its last commit, with its message."""
        bare = self.folder / f"{name}.git"
        paths = git(bare, "ls-tree", "-r", "-z", "--name-only", branch).split("\0")
        show = ["git", "-C", bare, "show"]
        files = {
            path: subprocess.run([*show, f"{branch}:{path}"], check=True, capture_output=True).stdout
            for path in filter(None, paths)
        }
        return files, git(bare, "log", "-1", "--format=%an <%ae>: %B", branch)


def _handler(folder, allowed):
    wanted = "Basic " + b64encode(":".join(allowed).encode()).decode() if allowed else ""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def do_GET(self):
            if wanted and self.headers.get("Authorization") != wanted:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="repositories"')
                self.end_headers()
                return
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.headers.get("Transfer-Encoding") == "chunked":
                body = b"".join(iter(self.chunk, b""))
            about = {
                "GIT_PROJECT_ROOT": str(folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "REMOTE_USER": allowed[0] if allowed else "",
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "safe.directory",
                "GIT_CONFIG_VALUE_0": "*",
            }
            done = subprocess.run(
                ["git", "http-backend"], input=body, capture_output=True, env=os.environ | about, check=False
            )
            head, _, answer = done.stdout.partition(b"\r\n\r\n")
            lines = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
            self.send_response(int(lines.pop("Status", "200 OK").split()[0]))
            for name, value in lines.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer)

        do_POST = do_GET

        def chunk(self):
            size = int(self.rfile.readline(), 16)
            data = self.rfile.read(size)
            self.rfile.readline()
            return data

        def log_message(self, *arguments):
            pass

    return Handler


@contextmanager
def served(folder, allowed=()):
    """Serve a folder; `allowed` is the user and the password that are asked for, if any."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(folder, allowed))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield Served(folder, f"http://127.0.0.1:{server.server_address[1]}", allowed)
    finally:
        server.shutdown()
        server.server_close()
