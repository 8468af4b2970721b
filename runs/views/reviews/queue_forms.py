"""The form of a new review queue: what it says, and what is asked for by it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runs.grading.graders.own_rubrics import MAX_ASPECTS, read_rubric
from runs.grading.graders.reviews import Kind
from runs.models import Grade, Run, TrialStatus
from runs.results.causes import causes_of
from runs.results.queues import REVIEWED, Choice, Wanted, may_review

# So many aspects are shown at first; more are in a fold.
SHOWN_ROWS = 3
KINDS = (
    (Kind.YES_NO, "Yes or no"),
    (Kind.SCALE, "Number of a scale"),
    (Kind.LABEL, "One of several labels"),
    (Kind.TEXT, "Text"),
    (Kind.PASSAGES, "Passages of the answer"),
)
PARTS = ("name", "kind", "text", "options", "passing")
FIRST = {"name": "Is the answer right?", "kind": Kind.YES_NO, "text": "", "options": "", "passing": "yes"}
FIELDS = ("name", "needed", "status", "agent", "case", "group", "grader", "share", "sample")
MOST_GROUPS = 30


@dataclass(frozen=True, slots=True)
class QueueForm:
    """What was typed: the fields, the rows of the rubric, the shares of people by their ids, and what is wrong."""

    values: Mapping[str, str]
    rows: Sequence[Mapping[str, str]]
    people: Mapping[int, str]
    problem: str = field(default="")

    @property
    def shown(self) -> Sequence[tuple[int, Mapping[str, str]]]:
        """The rows with their places that are used, and one more."""
        used = max((at for at, row in enumerate(self.rows, 1) if row["name"]), default=0)
        return list(enumerate(self.rows))[: max(SHOWN_ROWS, used + 1)]

    @property
    def folded(self) -> Sequence[tuple[int, Mapping[str, str]]]:
        return list(enumerate(self.rows))[len(self.shown) :]


def blank(run: Run, query: Mapping[str, str]) -> QueueForm:
    """A new form; filters of the address are filled in, and the rubric is that of the newest queue of the pack."""
    newest = run.review_queues.model.objects.filter(run__version__pack=run.version.pack_id).first()
    rows = list(map(row_of, newest.rubric)) if newest else [FIRST]
    values = {**dict.fromkeys(FIELDS, ""), "needed": "1", **{name: query[name] for name in FIELDS if name in query}}
    return QueueForm(values, filled(rows), {})


def typed(data: Mapping[str, str], problem: str = "") -> QueueForm:
    rows = [{part: data.get(f"aspect-{at}-{part}", "") for part in PARTS} for at in range(MAX_ASPECTS)]
    people = {int(name[7:]): value for name, value in data.items() if re.fullmatch(r"person-\d{1,18}", name) and value}
    return QueueForm({name: data.get(name, "") for name in FIELDS}, rows, people, problem)


def filled(rows: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    return [*rows, *[dict.fromkeys(PARTS, "")] * MAX_ASPECTS][:MAX_ASPECTS]


def row_of(document: Mapping[str, Any]) -> dict[str, str]:
    """A kept aspect as a row of the form."""
    is_scale = document["kind"] == Kind.SCALE
    options = f"{document['least']} to {document['best']}" if is_scale else ", ".join(document["labels"])
    least = document["passes_from"]
    passing = ("" if least is None else str(least)) if is_scale else ", ".join(document["passing"])
    return {**{part: document[part] for part in ("name", "kind", "text")}, "options": options, "passing": passing}


def wanted_by(form: QueueForm) -> Wanted:
    """The queue that a form asks for. Raises Unreadable for its rubric, ValueError for anything else."""
    values = form.values
    rubric = read_rubric([aspect_row(row) for row in form.rows if row["name"].strip()])
    shares = {pk: whole(text, "each share") or 0 for pk, text in form.people.items()}
    needed = whole(values["needed"], "how many review each trial") or 1
    return Wanted(values["name"], rubric, choice_by(values), needed, shares)


def choice_by(values: Mapping[str, str]) -> Choice:
    """Which trials a form asks for. Raises ValueError."""
    return Choice(
        status=values["status"] if values["status"] in REVIEWED else "",
        agent=whole(values["agent"], "the agent"),
        case=values["case"],
        group=values["group"],
        grader=values["grader"],
        share=percent(values["share"]),
        sample=whole(values["sample"], "how many trials are drawn"),
    )


def aspect_row(row: Mapping[str, str]) -> dict[str, Any]:
    """A row of the form in the members of `read_rubric`."""
    kind = row["kind"] or Kind.YES_NO
    said = {"name": row["name"], "kind": kind, "text": row["text"]}
    if kind == Kind.SCALE:
        ends = [int(number) for number in re.findall(r"\d{1,3}", row["options"])]
        given = {"least": ends[0], "best": ends[-1]} if len(ends) > 1 else {}
        return {**said, **given, "passes_from": whole(row["passing"], f"from which number {row['name']!r} passes")}
    return {**said, "labels": list(words(row["options"])), "passing": list(words(row["passing"], kind))}


def words(text: str, kind: str = "") -> Iterator[str]:
    """What stands between commas; yes and no are written in any way."""
    for word in text.split(","):
        if word.strip():
            yield word.strip().lower() if kind == Kind.YES_NO else word.strip()


def whole(text: str, what: str) -> int | None:
    """A whole number, None where nothing is typed. Raises ValueError."""
    if not text.strip():
        return None
    if not re.fullmatch(r"\d{1,18}", text.strip()):
        raise ValueError(f"Give {what} as a whole number.")
    return int(text)


def percent(text: str) -> int | None:
    """Raises ValueError."""
    found = whole(text, "the share")
    if found is not None and not 1 <= found <= 100:
        raise ValueError("Give the share from 1 to 100 percent.")
    return found


def choices_of(run: Run) -> dict[str, Any]:
    """What the form lets people choose from."""
    graders = Grade.objects.filter(trial__run=run, verdict="fail").order_by("key").values_list("key", flat=True)
    return {
        "statuses": [(status.value, status.label) for status in map(TrialStatus, REVIEWED)],
        "agents": [(str(agent.pk), agent.name) for agent in run.agents.order_by("position")],
        "groups": [
            (group.digest, f"{group.title[:80]} ({group.trials})")
            for group in causes_of(run.version.pack, [run]).groups[:MOST_GROUPS]
        ],
        "graders": [(key, key) for key in graders.distinct()[:200]],
        "reviewers": may_review(run),
        "kinds": KINDS,
    }
