import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest


class Echo(BaseHTTPRequestHandler):
    """Answers with what it was asked and keeps the connection open; /moved redirects."""

    protocol_version = "HTTP/1.1"

    def respond(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        told = {"method": self.command, "path": self.path, "body": body, "token": self.headers.get("x-token", "")}
        self.send_response({"/missing": 404, "/moved": 302}.get(self.path, 200))
        answer = b"" if self.command == "HEAD" else json.dumps(told).encode()
        self.send_header("location", "http://127.0.0.1:1/")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_HEAD = respond

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def online(shop):
    return lambda **more: shop(hosts=["127.0.0.1"], **more)


def test_a_request_gives_status_headers_and_body(online, address):
    tools = online()
    value = tools.value(
        "http_request", method="post", url=f"{address}/x?y=1", body="hub", headers={"X-Token": "t", "Host": "other"}
    )
    assert value["status_code"] == 200
    assert json.loads(value["body"]) == {"method": "POST", "path": "/x?y=1", "body": "hub", "token": "t"}
    assert tools.last()[1]["network"] == [{"host": "127.0.0.1", "path": "/x?y=1", "status": "200"}]


def test_a_body_can_go_to_a_file(online, address):
    tools = online()
    assert tools.value("http_request", method="GET", url=f"{address}/f", output_path="f.json")["bytes"] > 0
    assert '"/f"' in tools.value("read_file", path="f.json")["content"]


def test_a_refusal_of_the_host_fails_the_call_and_redirects_are_not_followed(online, address):
    tools = online()
    assert '"status_code":404' in tools.call("http_request", {"method": "GET", "url": f"{address}/missing"}).text
    assert tools.value("http_request", method="GET", url=f"{address}/moved")["status_code"] == 302


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "http://169.254.169.254/latest", "ftp://a/", "http://a:b@c/", "x"]
)
def test_hosts_that_the_studio_does_not_allow_are_refused_and_noted(shop, url):
    tools = shop()
    tools.error("http_request", method="GET", url=url)
    assert tools.origin() == "policy"
    assert tools.last()[1]["network"][0]["status"] == "blocked"


def test_a_task_can_narrow_what_may_be_called(online, address):
    assert online(network_allowlist=("127.0.0.0/8",)).value("http_request", method="GET", url=address)
    tools = online(network_allowlist=("10.0.0.0/8",))
    tools.error("http_request", method="GET", url=address)
    assert tools.origin() == "policy"


def test_a_host_that_does_not_answer_is_told(online):
    tools = online()
    tools.error("http_request", method="GET", url="http://127.0.0.1:1/")
    assert (tools.origin(), tools.last()[1]["network"][0]["status"]) == ("primitive", "failed")


def test_other_characters_of_an_address_are_sent_as_addresses_have_them(online, address):
    value = online().value("http_request", method="GET", url=f"{address}/\u00e4 b%20?q=\u00fc&r=[1]")
    assert json.loads(value["body"])["path"] == "/%C3%A4%20b%20?q=%C3%BC&r=[1]"


@pytest.mark.parametrize("host", ["\u00e4..example", "\u00e4" * 80 + ".example"])
def test_a_host_that_can_have_no_such_name_fails_the_call(shop, host):
    tools = shop(hosts=["public"])
    tools.error("http_request", method="GET", url=f"https://{host}/")
    assert tools.origin() == "primitive"


def test_a_host_written_in_other_digits_is_the_address_that_they_say(shop):
    tools = shop(hosts=["public"])
    tools.error("http_request", method="GET", url="https://\uff11\uff12\uff17.0.0.1/")
    assert tools.origin() == "policy"


def test_a_method_that_does_not_exist_is_refused(online, address):
    online().error("http_request", method="BREW", url=address)


def test_a_secret_that_comes_back_in_another_spelling_is_hidden_too(online, address):
    tool = {
        "name": "echo",
        "implementation": {
            "primitive": "http_request",
            "args": {"method": "POST", "url": address + "/${path:secrets.KEY}", "body": "${secrets.KEY}"},
        },
    }
    secret = 'p/w "x" 1'
    text = online(tools={"custom": [tool]}, secrets={"KEY": secret, "SHORT": "1"}).call("echo").text
    assert text.count("[secret]") == 2
    assert "p%2Fw" not in text
    assert '"status_code":200' in text


def test_secrets_reach_the_host_and_never_the_agent(online, address):
    tool = {
        "name": "track",
        "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        "implementation": {
            "primitive": "http_request",
            "args": {"method": "GET", "url": address + "/${path:id}", "headers": {"X-Token": "${secrets.KEY}"}},
        },
    }
    tools = online(tools={"custom": [tool]}, secrets={"KEY": "s3cr3t-value"})
    result = tools.call("track", {"id": "a b"})
    assert "[secret]" in result.text
    assert "/a%20b" in result.text
    assert "s3cr3t-value" not in json.dumps(tools.events)
    missing = online(tools={"custom": [tool]})
    missing.error("track", id="1")
    assert missing.origin() == "resolution"
