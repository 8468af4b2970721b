"""What browsers report: something on a page of the studio that its Content-Security-Policy forbids."""

import json
import logging
from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from studio.guessing import address_of
from studio.proxies import counted_address

MAX_BYTES = 16 * 1024
MAX_TEXT = 200
# In this many seconds a process takes so many reports, of them so many of one address, and logs so many violations.
WINDOW_SECONDS = 600
MAX_REPORTS, PER_ADDRESS, MAX_LOGGED = 2000, 100, 50
# What a report calls its parts, by its media type: the older way of `report-uri`, and that of `report-to`.
NAMES: Mapping[str, Mapping[str, str]] = {
    "application/csp-report": {
        "directive": "effective-directive",
        "blocked": "blocked-uri",
        "page": "document-uri",
        "source": "source-file",
        "line": "line-number",
    },
    "application/reports+json": {
        "directive": "effectiveDirective",
        "blocked": "blockedURL",
        "page": "documentURL",
        "source": "sourceFile",
        "line": "lineNumber",
    },
}
Violation = tuple[tuple[str, str], ...]
log = logging.getLogger(__name__)


class Window:
    """What this process was sent lately. Nothing of it is stored, as anybody may send anything."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin anew."""
        self.since = monotonic()
        self.total = 0
        self.by_address: dict[str, int] = {}
        self.logged: set[Violation] = set()

    def takes(self, address: str) -> bool:
        """Count a report; False where it is one too many."""
        if monotonic() - self.since > WINDOW_SECONDS:
            self.clear()
        self.total += 1
        if self.total > MAX_REPORTS:
            return False
        self.by_address[address] = self.by_address.get(address, 0) + 1
        return self.by_address[address] <= PER_ADDRESS

    def is_new(self, violation: Violation) -> bool:
        """Whether this violation gets its line in the log: it has none yet, and there are not too many."""
        if violation in self.logged or len(self.logged) >= MAX_LOGGED:
            return False
        self.logged.add(violation)
        return True


window = Window()


@csrf_exempt
@require_POST
def policy_reports(request: HttpRequest) -> HttpResponse:
    """Take reports of a browser, without an account: pages are for everybody. Answers 413, 415, 400 or 429 to others.

    Each different violation is one line of the log.
    """
    names = NAMES.get(request.content_type or "")
    if names is None:
        return HttpResponse(status=415)
    if not window.takes(counted_address(address_of(request))):
        return HttpResponse(status=429, headers={"Retry-After": str(WINDOW_SECONDS)})
    data = request.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        return HttpResponse(status=413)
    try:
        reports = list(reports_in(json.loads(data)))
    except (ValueError, RecursionError):
        return HttpResponse(status=400)
    for report in reports:
        violation = tuple((name, short(report.get(key))) for name, key in names.items())
        if window.is_new(violation):
            log.warning("policy.violated", extra=dict(violation))
    return HttpResponse(status=204)


def reports_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """The violations in a body of either type. Raises ValueError for any other shape."""
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict):
            raise ValueError("a report is an object")
        report = item.get("csp-report") if "csp-report" in item else item.get("body")
        if not isinstance(report, dict):
            raise ValueError("a report has a body")
        if item.get("type", "csp-violation") == "csp-violation":
            yield report


def short(value: Any) -> str:
    """A part of a report for the log: without the query of an address, where words of people and keys may stand."""
    return str(value if value is not None else "").partition("?")[0].partition("#")[0][:MAX_TEXT]
