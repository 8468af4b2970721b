"""The one shape of trouble that every endpoint of the API answers with."""

from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.urls import resolve
from django.views.decorators.csrf import csrf_exempt
from django.views.defaults import server_error
from rest_framework.exceptions import APIException, NotAuthenticated, UnsupportedMediaType, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from packs.access import OutOfScope
from packs.formats.findings import Finding, Path
from studio.refusals import ROOT, body_of, finding_of

NOT_THERE = "There is nothing at this address, or it belongs to a team that you or your key are not for."
HINTS: dict[type[Exception], str] = {
    NotAuthenticated: "Send `Authorization: Bearer <key>`. Keys are made on the account page, or by `manage.py token`.",
    UnsupportedMediaType: "Send JSON, with `Content-Type: application/json`.",
}
SCOPE_HINT = "Make a key that may do this on the account page, or by `manage.py token create --scope`."
ADDRESSES = "Every address is described at /api/schema/."


def answer_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """Render every refused request as `{"findings": [...]}`.

    An exception may bring findings of its own in an attribute `findings`, and what else belongs into the answer in
    `more`; all others become findings whose code is `api.<code>`.
    """
    response = exception_handler(error, context)
    if response is None:
        return None
    given = getattr(error, "findings", None)
    findings = list(given) if given is not None else list(findings_of(error, response))
    response.data = {**body_of(*findings), **getattr(error, "more", {})}
    return response


def findings_of(error: Exception, response: Response) -> Iterator[Finding]:
    """Findings for an exception of the framework; Http404 and PermissionDenied arrive as Django's own classes."""
    if isinstance(error, ValidationError):
        yield from flatten(error.detail, ())
        return
    detail = response.data.get("detail", "")
    if isinstance(error, OutOfScope):
        yield finding_of("out_of_scope", str(error), (), SCOPE_HINT)
        return
    code = error.get_codes() if isinstance(error, APIException) else getattr(detail, "code", "error")
    message = NOT_THERE if isinstance(error, Http404) else str(detail)
    yield finding_of(str(code), message, (), HINTS.get(type(error), ""))


def flatten(detail: Any, path: Path) -> Iterator[Finding]:
    """Walk error details; an index is a step of the path only where the item is itself a container."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            yield from flatten(value, path if key == "non_field_errors" else (*path, key))
    elif isinstance(detail, list):
        for index, value in enumerate(detail):
            yield from flatten(value, (*path, index) if isinstance(value, dict | list) else path)
    else:
        yield finding_of(getattr(detail, "code", "invalid"), str(detail), path)


@csrf_exempt
def answer_unknown(request: HttpRequest, rest: str) -> HttpResponseBase:
    """Any address below `/api/` that is none; a reader who left out the last slash is led on, a writer refused.

    A redirected POST would arrive as a GET.
    """
    complete = f"{request.path_info}/"
    is_slash_missing = not rest.endswith("/") and resolve(complete).func is not answer_unknown
    if is_slash_missing and request.method in {"GET", "HEAD"}:
        return HttpResponseRedirect(request.get_full_path(force_append_slash=True))
    hint = f"Addresses end with a slash: {complete}" if is_slash_missing else ADDRESSES
    return answer_finding(finding_of("not_found", NOT_THERE, (), hint), 404)


def answer_mistake(request: HttpRequest) -> HttpResponseBase:
    """Our own mistake: a page for people, a finding for programs."""
    if not request.path_info.startswith(ROOT):
        return server_error(request)
    message = "This is an error in the studio; its log says more."
    return answer_finding(finding_of("server_error", message, ()), 500)


def answer_finding(finding: Finding, status: int) -> JsonResponse:
    return JsonResponse(body_of(finding), status=status)
