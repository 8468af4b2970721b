"""The words of a failure that an author may change before it becomes a case."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from packs.formats.failure import Failure


@dataclass(frozen=True, slots=True)
class Wording:
    """The fields of the form; `expected` and `forbidden` hold one thing a line. Without a `key` the format chooses."""

    title: str = ""
    key: str = ""
    request: str = ""
    expected: str = ""
    forbidden: str = ""


def wording_of(failure: Failure) -> Wording:
    """The words that the trial itself suggests."""
    return Wording(failure.title, "", failure.request, lines(failure.expected), lines(failure.forbidden))


def wording_in(sent: Mapping[str, Any], failure: Failure) -> Wording:
    """The words that were sent, as texts or as lists of lines; the trial suggests what was not."""
    given = {name: sent[name] for name in (each.name for each in fields(Wording)) if name in sent}
    texts = {name: value if isinstance(value, str) else lines(value) for name, value in given.items()}
    return replace(wording_of(failure), **texts)


def worded(failure: Failure, wording: Wording) -> Failure:
    """The failure in an author's words.

    Where the author changed what is asked or expected, the case that was tried is no longer taken over.
    """
    own = wording_of(failure)
    is_same = (unix(wording.request), unix(wording.expected)) == (unix(own.request), unix(own.expected))
    return replace(
        failure,
        title=" ".join(wording.title.split()),
        key=wording.key.strip(),
        request=failure.request if is_same else unix(wording.request),
        expected=failure.expected if is_same else tuple(split(wording.expected)),
        forbidden=tuple(split(wording.forbidden)),
        case=failure.case if is_same else None,
    )


def lines(items: Iterable[str]) -> str:
    return "\n".join(items)


def split(text: str) -> list[str]:
    """The lines of a text that hold something."""
    return [line.strip() for line in unix(text).split("\n") if line.strip()]


def unix(text: str) -> str:
    """A text as a browser sends it, with the line ends that it had."""
    return text.replace("\r\n", "\n").strip()
