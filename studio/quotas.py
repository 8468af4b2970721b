"""What asks for more than a team may use is answered with 403 and a sentence that says what helps."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from packs.formats.findings import Finding, Severity
from packs.quotas import QuotaReached
from studio.api import answer_finding
from studio.refusals import ROOT

STATUS = 403


class ReachedQuotas:
    """Middleware: a quota that stands in the way is said, on a page or as a finding."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The answer to a request that a quota refuses; None for any other error."""
        if not isinstance(error, QuotaReached):
            return None
        if request.path_info.startswith(ROOT):
            return answer_finding(Finding(error.code, Severity.ERROR, (), error.message), STATUS)
        return render(request, "quota.html", {"message": error.message}, status=STATUS)
