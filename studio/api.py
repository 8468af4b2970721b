"""The one shape of trouble that every endpoint of the API answers with."""

from collections.abc import Iterator
from typing import Any

from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from packs.formats.findings import Finding, Path, Severity


def answer_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """Render every refused request as `{"findings": [...]}`.

    An exception may bring findings of its own in an attribute `findings`; all others become findings whose code is
    `api.<code>`.
    """
    response = exception_handler(error, context)
    if response is None:
        return None
    given = getattr(error, "findings", None)
    findings = list(given) if given is not None else list(findings_of(error, response))
    response.data = {"findings": [finding.as_dict() for finding in findings]}
    return response


def findings_of(error: Exception, response: Response) -> Iterator[Finding]:
    """Findings for an exception of the framework; Http404 and PermissionDenied arrive as Django's own classes."""
    if isinstance(error, ValidationError):
        yield from flatten(error.detail, ())
        return
    detail = response.data.get("detail", "") if isinstance(response.data, dict) else ""
    code = error.get_codes() if isinstance(error, APIException) else getattr(detail, "code", "error")
    yield finding_of(str(code), str(detail), ())


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


def finding_of(code: str, message: str, path: Path) -> Finding:
    return Finding(code=f"api.{code}", severity=Severity.ERROR, path=path, message=message)
