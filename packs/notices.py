"""What people and programs outside want to hear of. The kinds are stated here, once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class NoticeKind:
    """What people choose by its `label`; `people` says who gets it besides webhooks."""

    label: str
    people: str


REVIEW_ASKED = "review.asked"
RUN_ENDED = "run.ended"
RUN_FAILED = "run.failed"
GATE_FAILED = "gate.failed"
PROPOSAL_ASKED = "proposal.asked"
VERSION_PUBLISHED = "version.published"

KINDS: Mapping[str, NoticeKind] = {
    REVIEW_ASKED: NoticeKind("A review is asked of me", "the reviewers of a queue or a proposal"),
    RUN_ENDED: NoticeKind("A run of mine ended", "who started it"),
    RUN_FAILED: NoticeKind("A run of mine failed", "who started it"),
    GATE_FAILED: NoticeKind("A gate of a pack of mine turned red", "who started the run and who made the pack"),
    PROPOSAL_ASKED: NoticeKind("A proposal on a pack of mine waits for a review", "who made the pack"),
    VERSION_PUBLISHED: NoticeKind("A version of a pack of mine was published", "who made the pack"),
}


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that happened in a team, for `people` (ids of users) but not for who did it (`by`), and for webhooks.

    `place` and `args` are the name of the page that shows it and what its address takes; `facts` go to webhooks.
    """

    kind: str
    team: int
    title: str
    place: str
    args: tuple[Any, ...]
    people: frozenset[int] = frozenset()
    by: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def those(*ids: int | None) -> frozenset[int]:
    """The people of these ids; who was deleted has none."""
    return frozenset(each for each in ids if each is not None)
