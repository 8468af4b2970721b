"""What graders ask models, and what is recorded of the replies.

As with commands, a grader asks nothing itself: it says what is to be asked, the engine asks by the connections of the
run's team and records a `grader.opinion.recorded` event, and the grader judges that event like all other evidence.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from runs.grading.graders.commands import GraderCommand

SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Question:
    """One call of a model. `key` names it among all of a trial; `messages` are mappings of role and content.

    With `steps` the model may look at the files that the agent left before it replies: so many calls of it at most.
    """

    key: str
    model: str
    messages: tuple[dict[str, str], ...]
    seconds: float = SECONDS
    temperature: float | None = None
    steps: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)

    def without(self) -> str:
        """Why a grader cannot judge whose question nobody answered."""
        return f"the model {self.model!r} was not asked"

    def payload(self) -> dict[str, Any]:
        """What is known before it is asked."""
        return {"validator_key": self.key, "model": self.model, "messages": list(self.messages), **self.facts}


Need = GraderCommand | Question


@dataclass(frozen=True, slots=True)
class TurnState:
    """What a grader says of the turn of a conversation that was played last: what it needs before it can judge it, or
    whether the turn has failed and the conversation ends."""

    needs: tuple[Need, ...] = ()
    has_failed: bool = False
