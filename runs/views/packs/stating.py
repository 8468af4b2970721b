"""The form that states an answer in `proof.yaml`: a text, files, and what the agent did."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson
from django.http import QueryDict

from packs.formats.paths import normal_path, path_trouble
from runs.agents.contract import AgentFailed
from runs.engine.recorder import shape_of
from runs.jobs.proofs import ProofRefused
from runs.jobs.trials.tryouts import MAX_FILES
from runs.proof.author import Stated
from runs.proof.probes import Work
from runs.views.reviews.tryouts import unix

# What an author can state of a case, by the name that a form sends.
ANSWERS = {"reference": "The right answer", "right": "Another right answer", "wrong": "A wrong answer"}


@dataclass(frozen=True, slots=True)
class Wish:
    """What stands in the form. `instead` is the key of the answer that is changed, empty for a new one."""

    name: str = ""
    text: str = ""
    files: Sequence[tuple[str, str]] = ()
    events: str = ""
    deletes: bool = False
    origin: str = ""
    instead: str = ""

    @property
    def has_more(self) -> bool:
        """Whether it is more than a text."""
        return bool(self.files or self.events or self.deletes)

    @property
    def with_room(self) -> "Wish":
        """The same with room for one more file."""
        return replace(self, files=(*self.files, ("", "")))

    @property
    def work(self) -> Work:
        """The answer. Raises ProofRefused with the code bad_answer."""
        if not (self.text or self.has_more):
            raise ProofRefused("bad_answer", "Give an answer: a text, files or events.")
        return Work(self.text, _files(self.files), read_events(self.events), self.deletes)


def wish_of(stated: Stated) -> Wish:
    """The form that changes an answer."""
    work = stated.work
    events = "\n".join(orjson.dumps(event).decode() for event in work.events)
    return Wish(stated.name, work.text, tuple(work.files.items()), events, work.deletes, stated.origin, stated.key)


def read_wish(data: QueryDict) -> Wish:
    """The form as it was sent; files without a path and a content are left out."""
    rows = zip(data.getlist("path"), data.getlist("content"), strict=False)
    files = tuple((path.strip(), unix(content)) for path, content in rows if path.strip() or content)
    return Wish(
        data.get("name", ""),
        unix(data.get("text", "")),
        files,
        unix(data.get("events", "")).strip(),
        data.get("deletes") == "true",
        data.get("origin", "").strip(),
        data.get("instead", ""),
    )


def _files(given: Sequence[tuple[str, str]]) -> dict[str, str]:
    if len(given) > MAX_FILES:
        raise ProofRefused("bad_answer", f"An answer can have at most {MAX_FILES} files.")
    found: dict[str, str] = {}
    for number, (path, content) in enumerate(given, start=1):
        if trouble := path_trouble(path):
            raise ProofRefused("bad_answer", f"The path of file {number} {trouble}.")
        if normal_path(path) in found:
            raise ProofRefused("bad_answer", f"Two files have the path `{path}`.")
        found[normal_path(path)] = content
    return found


def read_events(text: str) -> list[dict[str, Any]]:
    """Events as a JSON list, or as JSON with one object a line. Raises ProofRefused with the code bad_answer."""
    parts = [text] if text.startswith("[") else [line for line in text.splitlines() if line.strip()]
    found: list[Any] = []
    for number, part in enumerate(parts, start=1):
        try:
            read = orjson.loads(part)
        except orjson.JSONDecodeError as error:
            where = "The list of events" if text.startswith("[") else f"Line {number} of the events"
            raise ProofRefused("bad_answer", f"{where} is not JSON: {error}.") from error
        found += read if isinstance(read, list) else [read]
    for number, event in enumerate(found, start=1):
        if not isinstance(event, dict):
            raise ProofRefused("bad_answer", f"Event {number} must be a JSON object with an `event_type`.")
        try:
            shape_of(event)
        except AgentFailed as error:
            raise ProofRefused("bad_answer", f"Event {number}: {error}") from error
    return found
