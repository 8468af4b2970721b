"""Probes of judges: the same stored answer shown otherwise, so that a judge without a bias says the same again.

That judges prefer what stands first and what is longer: Zheng, L. et al. (2023), Judging LLM-as-a-judge with MT-Bench
and Chatbot Arena, section 3.3; Wang, P. et al. (2023), Large language models are not fair evaluators.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from packs.formats.task import Task
from runs.grading.judges.verdicts import PAIR, RANKING

PADDED, SWAPPED = "padded", "swapped"
# Judges that are shown several answers, so that one of them stands first.
ORDERED = (PAIR, RANKING)
# Says nothing of any task. An answer gets these sentences until it is half as long again, and all of them once.
NEUTRAL = (
    "This is the end of what there is to say here.",
    "The text above is complete as it stands.",
    "Nothing in these last sentences adds to it or changes it.",
)
ENDS = ("system.run.completed", "system.output.finalized")

Event = Mapping[str, Any]


def padded(text: str) -> str:
    """An answer with neutral sentences after it."""
    rounds = 1 + len(text) // 2 // len(" ".join(NEUTRAL))
    return "\n\n".join([text, *[" ".join(NEUTRAL)] * rounds])


def padded_events(events: Iterable[Event]) -> list[dict[str, Any]]:
    """The events of a trial, whose final output is padded."""
    return [{**event, "payload": _padded_payload(event["event_type"], event["payload"])} for event in events]


def _padded_payload(kind: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    names = ("final_output", "output") if kind in ENDS else ()
    texts = {name: padded(payload[name]) for name in names if isinstance(payload.get(name), str)}
    return {**payload, **texts}


def swapped(task: Task) -> Task:
    """A task whose judges of pairs are shown the other answer first, and those that rank all answers in reverse."""
    judges = (
        replace(judge, reference_first=not judge.reference_first) if judge.mode in ORDERED else judge
        for judge in task.judges
    )
    return replace(task, judges=tuple(judges))
