"""What people and programs outside want to hear of. The kinds are stated here, once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class NoticeKind:
    """`event` is what happened, as webhooks choose it; `label` says it to the people who get it."""

    event: str
    label: str


REVIEW_ASKED = "review.asked"
RUN_ENDED = "run.ended"
RUN_FAILED = "run.failed"
GATE_FAILED = "gate.failed"
PROPOSAL_ASKED = "proposal.asked"
VERSION_PUBLISHED = "version.published"
QUOTA_NEAR = "quota.near"

KINDS: Mapping[str, NoticeKind] = {
    REVIEW_ASKED: NoticeKind("A review is asked for", "A review is asked of me"),
    RUN_ENDED: NoticeKind("A run ended", "A run of mine ended"),
    RUN_FAILED: NoticeKind("A run failed", "A run of mine failed"),
    GATE_FAILED: NoticeKind("A gate turned red", "A gate of a run or a pack of mine turned red"),
    PROPOSAL_ASKED: NoticeKind("A proposal waits for a review", "A proposal on a pack of mine waits for a review"),
    VERSION_PUBLISHED: NoticeKind("A version was published", "A version of a pack of mine was published"),
    QUOTA_NEAR: NoticeKind("A quota is nearly used up", "A quota of a team that I administer is nearly used up"),
}

# Concerns an account, not a team: webhooks do not hear of it, and nobody chooses not to.
SECOND_FACTOR = "account.second_factor"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that happened in a team, or to an account, where `team` is None.

    It is for `people` (ids of users) but not for who did it (`by`), and for webhooks. `place` and `args` are the name
    of the page that shows it and what its address takes; `facts` go to webhooks.
    """

    kind: str
    team: int | None
    title: str
    place: str
    args: tuple[Any, ...]
    people: frozenset[int] = frozenset()
    by: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def those(*ids: int | None) -> frozenset[int]:
    """The people of these ids; who was deleted has none."""
    return frozenset(each for each in ids if each is not None)
