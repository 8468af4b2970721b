"""HTTP exchanges, encrypted ones with a certificate of their own included."""

import datetime
import http.server
import socket
import ssl
import threading

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from runs.agents.endpoints import exchange
from runs.agents.endpoints.addresses import AllowList
from runs.agents.endpoints.contract import EndpointFailed, Trouble
from runs.agents.endpoints.exchange import Web, host_of, in_ascii
from runs.agents.endpoints.watch import Watch


class Hello(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Host", self.headers["host"])
        self.end_headers()
        self.wfile.write(body[::-1])

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for the name localhost, signed by itself; gives the path of the file with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(key.private_bytes(*form) + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def tls_port(certificate):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hello)
    server.handle_error = lambda request, address: None
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def post(web, url, body=b"abc"):
    with web.send("POST", url, Watch.of(480), body=body) as answer:
        return answer.status, answer.body(), answer.headers


@pytest.fixture
def open_web():
    webs = []

    def make(*entries):
        webs.append(Web(AllowList.read(entries)))
        return webs[-1]

    yield make
    for web in webs:
        web.close()


def test_an_encrypted_host_is_believed_by_the_name_that_was_asked_for(tls_port, certificate, open_web, monkeypatch):
    monkeypatch.setattr(exchange, "trust", lambda: ssl.create_default_context(cafile=certificate))
    web = open_web("127.0.0.1", "localhost")
    large = b"x" * 300_000
    status, body, headers = post(web, f"https://localhost:{tls_port}/", large)
    assert (status, body, headers["x-host"]) == (200, large, f"localhost:{tls_port}")
    with pytest.raises(EndpointFailed) as caught:
        post(web, f"https://127.0.0.1:{tls_port}/")
    assert caught.value.trouble is Trouble.UNREACHABLE


def test_a_certificate_that_nobody_vouches_for_is_not_believed(tls_port, open_web):
    with pytest.raises(EndpointFailed) as caught:
        post(open_web("localhost"), f"https://localhost:{tls_port}/")
    assert caught.value.trouble is Trouble.UNREACHABLE


def test_an_encrypted_answer_that_was_cut_off_is_not_taken_for_a_whole_one(certificate, open_web, monkeypatch):
    """Without a length the end of the connection ends the answer; TLS alone tells whether it was meant."""
    monkeypatch.setattr(exchange, "trust", lambda: ssl.create_default_context(cafile=certificate))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)

    def cut_off(server):
        line = context.wrap_socket(server.accept()[0], server_side=True)
        heard = b""
        while not heard.endswith(b"abc"):
            heard += line.recv(4096)
        line.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nThe answer is 4")
        line.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=cut_off, args=(server,), daemon=True).start()
        with pytest.raises(EndpointFailed) as caught:
            post(open_web("localhost"), f"https://localhost:{server.getsockname()[1]}/")
    assert caught.value.trouble is Trouble.UNREACHABLE


@pytest.mark.parametrize("value", ["a\r\nHost: other", "a\x00b"])
def test_a_header_cannot_smuggle_another_one_in(open_web, model_server, value):
    web = open_web("127.0.0.1")
    with (
        pytest.raises(EndpointFailed) as caught,
        web.send("POST", model_server.url, Watch.of(480), {"x-key": value}, b""),
    ):
        pass
    assert caught.value.trouble is Trouble.NOT_ALLOWED
    assert model_server.requests == []


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://example.org/v1", "example.org"),
        ("https://example.org:443/v1", "example.org"),
        ("http://example.org:8080/v1", "example.org:8080"),
        ("http://[::1]:80/", "[::1]"),
    ],
)
def test_the_host_is_named_with_its_port_only_where_it_is_unusual(url, host):
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("https://example.org/a%20b?c=d#e", "https://example.org/a%20b?c=d#e"),
        (
            "https://b\u00fccher.example:8443/\u00e4?q=\u00fc x",
            "https://xn--bcher-kva.example:8443/%C3%A4?q=%C3%BC%20x",
        ),
        ("https://[::1", "https://[::1"),
        ("http://a:b@\u00e4/", "http://a:b@\u00e4/"),
    ],
)
def test_an_address_is_written_in_ascii(url, written):
    assert in_ascii(url) == written


@pytest.mark.parametrize("url", ["https://exam\nple.org/", "https://example.org/a\r\nb", "https://example.org/\x00"])
def test_an_address_with_line_ends_is_not_called_without_them(url):
    with pytest.raises(EndpointFailed, match="Remove line ends"):
        in_ascii(url)


def test_as_many_connections_are_used_again_as_there_are_callers(model_server):
    model_server.reply("Hello.", together=40)
    web = Web(AllowList.read(["127.0.0.1"]))

    def call():
        for _ in range(3):
            with web.send("POST", model_server.url, Watch.of(480), {}, b"{}") as answer:
                answer.body()

    threads = [threading.Thread(target=call) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    web.close()
    assert len(model_server.requests) == 120
    assert model_server.connections == 40
