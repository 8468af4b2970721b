import json

import pytest

from studio.logs import configuration
from studio.security import REPORTS
from studio.views import reports

VIOLATION = {
    "effective-directive": "script-src-elem",
    "blocked-uri": "https://example.org/x.js?key=4711",
    "document-uri": "http://testserver/packs/?q=secret",
    "source-file": "",
    "line-number": 7,
}


@pytest.fixture(autouse=True)
def fresh():
    reports.window.clear()
    yield
    reports.window.clear()


def line(record, *, as_json=True):
    """A record of the log as the studio writes it."""
    settings = configuration("WARNING", as_json)["formatters"]["line"]
    return settings.pop("()")(**settings).format(record)


@pytest.fixture
def send(client, caplog):
    """Send a report as a browser does, without an account; gives its status and the lines of the log."""

    def post(body, content_type="application/csp-report"):
        data = body if isinstance(body, bytes) else json.dumps(body)
        caplog.clear()
        status = client.post(REPORTS, data, content_type=content_type).status_code
        return status, [json.loads(line(record)) for record in caplog.records if record.msg == "policy.violated"]

    return post


def test_a_violation_is_one_line_of_the_log_without_what_a_query_holds(send):
    status, [logged] = send({"csp-report": VIOLATION})
    assert (status, logged["level"]) == (204, "warning")
    assert logged["directive"] == "script-src-elem"
    assert (logged["blocked"], logged["page"]) == ("https://example.org/x.js", "http://testserver/packs/")
    assert send({"csp-report": VIOLATION}) == (204, [])
    assert len(send({"csp-report": {**VIOLATION, "line-number": 8}})[1]) == 1


def test_the_newer_kind_of_report_holds_several(send):
    bodies = [{"effectiveDirective": "img-src", "blockedURL": f"https://{name}.example.org/"} for name in "ab"]
    sent = [{"type": "csp-violation", "body": body} for body in bodies] + [{"type": "deprecation", "body": {}}]
    status, lines = send(sent, "application/reports+json")
    assert (status, len(lines)) == (204, 2)


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"{", "application/csp-report", 400),
        (b"[" * 10_000, "application/csp-report", 400),
        (b"\xff", "application/csp-report", 400),
        (b"7", "application/csp-report", 400),
        (b'{"csp-report": []}', "application/csp-report", 400),
        (b" " * 20_000, "application/csp-report", 413),
        (b"{}", "text/plain", 415),
    ],
)
def test_what_is_no_report_is_refused(send, body, content_type, status):
    assert send(body, content_type) == (status, [])


def test_one_address_sends_only_so_many_and_fills_no_log(send):
    found = [send({"csp-report": {**VIOLATION, "line-number": n}}) for n in range(reports.PER_ADDRESS + 1)]
    assert [status for status, _ in found] == [204] * reports.PER_ADDRESS + [429]
    assert sum(len(lines) for _, lines in found) == reports.MAX_LOGGED


def test_a_report_forges_no_line_of_the_log(send, caplog):
    _, [logged] = send({"csp-report": {**VIOLATION, "blocked-uri": "x\n2026 [error] forged\ud800" + "y" * 1000}})
    assert len(logged["blocked"]) == reports.MAX_TEXT
    [text] = [line(record, as_json=False) for record in caplog.records if record.msg == "policy.violated"]
    assert "\n" not in text
    assert "blocked='x\\\\n2026 [error] forged\\\\ud800yyy" in text


def test_every_page_says_where_to_report(client):
    for page in ("/sign-in/", "/curation/login/"):
        headers = client.get(page).headers
        assert f"report-to policy; report-uri {REPORTS}" in headers["Content-Security-Policy"]
        assert headers["Reporting-Endpoints"] == f'policy="{REPORTS}"'
