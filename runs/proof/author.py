"""What the author of a pack states about its proof, in `proof.yaml` beside the pack (docs/proof.md).

It has right answers that the format has no place for, wrong ones, and what is meant as it is. Agents never see it.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from packs.formats import yamlio
from packs.formats.document import PROOF_FILE
from packs.formats.findings import Finding, Path, Rule
from packs.formats.schema.pieces import Schema, choice, free_map, items, long_text, mapping, strict, text, yes_no
from packs.formats.structure import Structure
from packs.formats.task import Task
from runs.proof.canary import UUID
from runs.proof.probes import MISSING, WORTHS, Code, Work

WRONG = Rule("proof.E001", "{name} must be {expected}; this is {found}.", hint="docs/proof.md shows the file.")
UNKNOWN_KEY = Rule("proof.E002", "There is no key {name} here. {advice}", hint="Remove it, or fix its spelling.")
MISSING_KEY = Rule("proof.E003", "{name} is missing.", hint="Add it; docs/proof.md shows the file.")
UNKNOWN_CASE = Rule("proof.E004", "The pack has no case {key!r}.", hint="Compare with the keys of the pack.")

_REFUTING = [code.value for code in Code if code not in MISSING]
_ANSWER: Schema = {
    "oneOf": [
        {"type": "string", "title": "Answer"},
        strict(
            "Work",
            {
                "text": long_text("Answer"),
                "files": mapping("Files", {"type": "string"}, "Path in the workspace to text."),
                "events": items("Events", free_map("Event"), "What the agent did, as in a recorded trial."),
                "deletes": yes_no("The files that the agent was given are deleted"),
                "origin": text("Where it comes from, such as a trial"),
            },
        ),
    ]
}
SCHEMA: Schema = strict(
    "Proof",
    {
        "canary": text("A text that stands nowhere else, looked for in answers", pattern=UUID),
        "accepts": items(
            "Accepted",
            strict(
                "Accepted",
                {
                    "code": choice("Reason code", dict.fromkeys(_REFUTING, "")),
                    "reason": text("Why this is meant", minLength=1),
                    "cases": items("Cases", {"type": "string"}, "Keys of cases; all of them where there is none."),
                },
                required=["code", "reason"],
            ),
        ),
        "cases": items(
            "Cases",
            strict(
                "Case",
                {
                    "case_key": text("Case", minLength=1),
                    "challenge_key": text("Challenge"),
                    "input_set": text("Input set"),
                    "reference": _ANSWER,
                    "right": items("Right answers", _ANSWER),
                    "wrong": items("Wrong answers", _ANSWER),
                },
                required=["case_key"],
            ),
        ),
    },
)


@cache
def _structure() -> Structure:
    return Structure(SCHEMA, {"additionalProperties": UNKNOWN_KEY, "required": MISSING_KEY, "any": WRONG})


@dataclass(frozen=True, slots=True)
class CaseNotes:
    """What the author states about one case: its reference, other right answers, wrong ones, and by code what is meant
    as it is, with the reason. `canary` is that of the pack."""

    reference: Work | None = None
    right: Sequence[Work] = ()
    wrong: Sequence[Work] = ()
    accepted: Mapping[Code, str] = field(default_factory=dict)
    canary: str = ""

    def accepts(self, code: Code) -> str:
        """Why the author accepts what a reason says; empty where that is not accepted."""
        return self.accepted.get(code, "")


@dataclass(frozen=True, slots=True)
class Stated:
    """An answer of a `proof.yaml`: what it is called there (reference, right or wrong), what it is, and where it comes
    from. `key` names it as long as it stays as it is."""

    name: str
    work: Work
    origin: str
    key: str


@dataclass(frozen=True, slots=True)
class Notes:
    """The content of a `proof.yaml`; a sound document of its schema."""

    document: Mapping[str, Any] = field(default_factory=dict)
    # By the key of a case, so that many cases do not each read the whole file; under None, what is said of all of them.
    _cases: dict[str, list[Any]] = field(init=False, repr=False, compare=False)
    _accepts: dict[str | None, list[int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cases: dict[str, list[Any]] = defaultdict(list)
        accepts: dict[str | None, list[int]] = defaultdict(list)
        for entry in self.document.get("cases", ()):
            cases[entry["case_key"]].append(entry)
        for index, entry in enumerate(self.document.get("accepts", ())):
            for key in entry.get("cases", (None,)):
                accepts[key].append(index)
        object.__setattr__(self, "_cases", cases)
        object.__setattr__(self, "_accepts", accepts)

    @property
    def canary(self) -> str:
        """The canary of the pack; empty where none was stamped."""
        return str(self.document.get("canary", ""))

    def of(self, task: Task) -> CaseNotes:
        """What is stated about the case of a task."""
        stated = self._entry(task)
        # The last one counts.
        indexes = sorted({*self._accepts.get(None, ()), *self._accepts.get(task.case_key, ())})
        accepts = [self.document["accepts"][index] for index in indexes]
        accepted = {Code(entry["code"]): entry["reason"] for entry in accepts}
        return CaseNotes(
            _work(stated["reference"]) if "reference" in stated else None,
            [_work(each) for each in stated.get("right", ())],
            [_work(each) for each in stated.get("wrong", ())],
            accepted,
            self.canary,
        )

    def stated(self, task: Task) -> list[Stated]:
        """The answers that are stated for the case of a task, each as it can be changed or removed."""
        answers = _answers(self._entry(task))
        return [Stated(name, _work(each), _origin(each), _key(name, each)) for name, each in answers]

    def _entry(self, task: Task) -> Mapping[str, Any]:
        entries = self._cases.get(task.case_key, ())
        return next((entry for entry in entries if _fits(entry, task)), {})


def _fits(entry: Mapping[str, Any], task: Task) -> bool:
    named = {"case_key": task.case_key, "challenge_key": task.challenge_key, "input_set": task.input_set_key}
    return all(entry.get(name, value) == value for name, value in named.items())


def _work(stated: Any) -> Work:
    if isinstance(stated, str):
        return Work(stated)
    return Work(stated.get("text", ""), stated.get("files", {}), stated.get("events", ()), stated.get("deletes", False))


def _stated(work: Work, origin: str) -> Any:
    parts = {"text": work.text, "files": dict(work.files), "events": list(work.events), "deletes": work.deletes}
    parts["origin"] = origin
    given = {key: value for key, value in parts.items() if value}
    return work.text if given.keys() <= {"text"} else given


def _origin(stated: Any) -> str:
    return "" if isinstance(stated, str) else str(stated.get("origin", ""))


# An answer as it is stated, with what it is called.
_Named = tuple[str, Any]


def _answers(entry: Mapping[str, Any]) -> list[_Named]:
    reference = [("reference", entry["reference"])] if "reference" in entry else []
    return reference + [(name, each) for name in WORTHS for each in entry.get(name, ())]


def _key(name: str, stated: Any) -> str:
    return f"{name}-{hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()[:16]}"


def with_answer(
    document: Mapping[str, Any], task: Task, name: str, work: Work, origin: str = "", *, instead: str = ""
) -> dict[str, Any]:
    """The content of a `proof.yaml` that also states an answer for the case of a task: its `reference`, or another that
    is `right` or `wrong`, with where it comes from. One that stands there already is not stated twice.

    `instead` is the key of an answer whose place it takes. Raises KeyError where that is not there any more.
    """
    made = _stated(work, origin)

    def added(answers: list[_Named]) -> list[_Named]:
        at = _place(answers, instead) if instead else len(answers)
        rest = [*answers[:at], *answers[at + 1 :]]
        if name == "reference":
            rest = [each for each in rest if each[0] != name]
        elif any(other == name and _work(each) == _work(made) for other, each in rest):
            return rest
        return [*rest[:at], (name, made), *rest[at:]]

    return _with_answers(document, task, added)


def without_answer(document: Mapping[str, Any], task: Task, key: str) -> dict[str, Any]:
    """The content of a `proof.yaml` without an answer for the case of a task. Raises KeyError where it is not there."""

    def removed(answers: list[_Named]) -> list[_Named]:
        at = _place(answers, key)
        return [*answers[:at], *answers[at + 1 :]]

    return _with_answers(document, task, removed)


def _place(answers: Sequence[_Named], key: str) -> int:
    for at, named in enumerate(answers):
        if _key(*named) == key:
            return at
    raise KeyError(key)


def _with_answers(
    document: Mapping[str, Any], task: Task, change: Callable[[list[_Named]], list[_Named]]
) -> dict[str, Any]:
    cases = list(document.get("cases", ()))
    at = next((at for at, entry in enumerate(cases) if _fits(entry, task)), len(cases))
    named = {"case_key": task.case_key, "challenge_key": task.challenge_key, "input_set": task.input_set_key}
    before = cases[at] if at < len(cases) else {key: value for key, value in named.items() if value}
    after: dict[str, Any] = {key: value for key, value in before.items() if key not in ("reference", *WORTHS)}
    answers = change(_answers(before))
    for name, answer in answers:
        if name == "reference":
            after[name] = answer
        else:
            after.setdefault(name, []).append(answer)
    cases[at : at + 1] = [after] if answers else []
    rest = {key: value for key, value in document.items() if key != "cases"}
    return {**document, "cases": cases} if cases else rest


def with_acceptance(document: Mapping[str, Any], task: Task, code: Code, reason: str) -> dict[str, Any]:
    """The content of a `proof.yaml` that also accepts a reason at the case of a task, and says why."""
    accepts = [*document.get("accepts", ()), {"code": code.value, "reason": reason, "cases": [task.case_key]}]
    return {**document, "accepts": accepts}


def without_acceptance(document: Mapping[str, Any], task: Task, code: Code) -> dict[str, Any]:
    """The content of a `proof.yaml` that does not accept a reason at the case of a task any more.

    Raises KeyError where that is accepted for all cases of the pack, or not at all.
    """
    kept: list[Any] = []
    for entry in document.get("accepts", ()):
        is_meant = entry["code"] == code and task.case_key in entry.get("cases", ())
        others = [key for key in entry.get("cases", ()) if key != task.case_key]
        kept += [entry] if not is_meant else [{**entry, "cases": others}] if others else []
    if kept == list(document.get("accepts", ())):
        raise KeyError(code)
    rest = {key: value for key, value in document.items() if key != "accepts"}
    return {**document, "accepts": kept} if kept else rest


def write_notes(document: Mapping[str, Any]) -> bytes:
    """The text of a `proof.yaml`. Raises yamlio.UnwritableError."""
    return yamlio.write(dict(document), dialect=yamlio.CORE_12).encode()


def read_notes(data: bytes, file: str = PROOF_FILE) -> tuple[Notes, list[Finding]]:
    """A `proof.yaml`, empty with the findings where something is wrong with it."""
    document, findings = yamlio.read(data, file=file, dialect=yamlio.CORE_12)
    found = [finding for finding in findings if finding.is_error]
    if not found and document is not None:
        found = yamlio.place_in(data, file, _structure().examine(document))
    return (Notes() if found else Notes(document or {})), found


def strangers(notes: Notes, tasks: Sequence[Task]) -> list[Finding]:
    """The cases that a `proof.yaml` names and the pack does not have."""
    known = {task.case_key for task in tasks}
    cases, accepts = (list(enumerate(notes.document.get(name, ()))) for name in ("cases", "accepts"))
    named: list[tuple[Path, str]] = [(("cases", index, "case_key"), entry["case_key"]) for index, entry in cases]
    for index, entry in accepts:
        named += [(("accepts", index, "cases", at), key) for at, key in enumerate(entry.get("cases", ()))]
    return [UNKNOWN_CASE.at(path, key=key) for path, key in named if key not in known]
