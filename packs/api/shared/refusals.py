"""Requests that are refused, with findings that say why; the site renders them all in one shape."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rest_framework.exceptions import APIException

from packs.editing import ABSENT, Conflict, EditRefused
from packs.formats.findings import Finding, Severity, from_pointer


def finding(code: str, message: str, pointer: str = "") -> Finding:
    """A finding about the request itself."""
    return Finding(f"api.{code}", Severity.ERROR, from_pointer(pointer), message)


class Refused(APIException):
    """A request that was understood and refused; `findings` go into the answer, and so does `more`."""

    status_code = 422

    def __init__(self, findings: Iterable[Finding], status: int = 422, more: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.findings = list(findings)
        self.more = more or {}
        self.status_code = status


def edit_refused(error: EditRefused) -> Refused:
    """An edit that makes no sense for the draft: 404 for a node that it does not have, otherwise 422."""
    status = 404 if error.code == "no_such_node" else 422
    return Refused([finding(error.code, error.message)], status)


def conflicting(conflicts: Sequence[Conflict]) -> Refused:
    """Others changed the same places in the meantime: 409, with both values of each. Nothing was written."""
    found = [
        finding("conflict", f"Changed by {conflict.author or 'somebody else'} since.", conflict.pointer)
        for conflict in conflicts
    ]
    return Refused(found, 409, {"conflicts": [show_conflict(conflict) for conflict in conflicts]})


def show_conflict(conflict: Conflict) -> dict[str, Any]:
    """A place with the value that was sent and the one that is there; null where there is none."""
    return {
        "kind": conflict.kind.value,
        "node": conflict.node,
        "pointer": conflict.pointer,
        "yours": None if conflict.yours is ABSENT else conflict.yours,
        "theirs": None if conflict.theirs is ABSENT else conflict.theirs,
        "author": conflict.author,
        "revision": conflict.revision,
    }


def precondition_required() -> Refused:
    message = "Send If-Match with the ETag of what you read, so that nobody else's edit is overwritten."
    return Refused([finding("precondition_required", message)], 428)


def precondition_failed(revision: int) -> Refused:
    message = f"This was edited in the meantime; it is at revision {revision} now. Read it again and repeat the edit."
    return Refused([finding("precondition_failed", message)], 412)
