"""What graders of AgentV look at: the assertion, the test, the trial, and what was run and asked for them.

A grader that needs a program run or a model asked says so by raising `Needed`: the engine sees to it, records what came
of it as an event, and lets the grader look again. So the same function says what is needed and judges the result, and a
stored trial is judged again without running anything.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from packs.formats.task import GraderSpec
from packs.formats.values import mapping
from runs.grading.graders.agentv.case import CaseFacts, facts_of
from runs.grading.graders.agentv.rows import RowVerdict, ScoreRow, failing, negated
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.comparison import finish
from runs.grading.graders.contract import Grade, Judgement, decided, infra_error, pack_error, unavailable
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.evidence.recording import Recording
from runs.grading.graders.questions import Need, Question
from runs.grading.graders.values import as_count, as_number

Judge = Callable[["Scene"], ScoreRow]


class Needed(Exception):
    """Programs are to be run or models to be asked before an assertion can be judged."""

    def __init__(self, *needs: Need) -> None:
        super().__init__()
        self.needs = needs


class Missing(Exception):
    """Something is not there that nobody of the pack or the agent answers for; the message says what would bring it."""


class Broken(Exception):
    """Our machine or a judge's model failed, so nothing is known."""


class Stopped(Exception):
    """A program of the pack ran into a limit: its author must fix it, and nothing is said of the agent."""


class Skipped(Exception):
    """A judge that gave no usable reply: its row is skipped, which makes the test an error (agentv F.6)."""

    def row(self, scene: "Scene") -> ScoreRow:
        """The row of an assertion that was skipped."""
        row = failing(str(self))
        return replace(row, verdict=RowVerdict.SKIP, name=name_of(scene), type=str(scene.assertion.get("type", "")))


class Raised(Exception):
    """A grader failed by what the pack says: its row is 0 with the reason as its check (agentv F.6)."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One assertion's view of a trial. `key` names it among all, members of composites included."""

    key: str
    assertion: Mapping[str, Any]
    case: CaseFacts
    recording: Recording
    judges: Mapping[str, Judge]

    @property
    def answer(self) -> str:
        """The agent's answer. Raises Missing."""
        if self.recording.final_output is None:
            raise Missing("the agent gave no final output")
        return self.recording.final_output

    @property
    def judge(self) -> str:
        """The model that judges where the assertion names none."""
        return self.case.judges.get(self.recording.agent, self.case.judge)

    def executed(self, command: GraderCommand) -> Mapping[str, Any]:
        """What came of a program. Raises Needed until it was run."""
        found = self.recording.executions.get(command.key)
        if found is None:
            raise Needed(command)
        return found.payload

    def asked(self, question: Question) -> Mapping[str, Any]:
        """What a model replied. Raises Needed until it was asked."""
        found = self.recording.replies.get(question.key)
        if found is None:
            raise Needed(question)
        return found

    def member(self, assertion: Mapping[str, Any], name: str) -> "Scene":
        """The scene of a member of this assertion."""
        return replace(self, key=f"{self.key}/{name}", assertion=assertion)


def row_of(scene: Scene) -> ScoreRow:
    """The row of an assertion before it is negated. Raises Needed, Missing, Broken and Stopped."""
    kind = str(scene.assertion.get("type", ""))
    judge = scene.judges.get(kind)
    try:
        if judge is None and scene.assertion.get("is_own") is True:
            raise Stopped(f"only AgentV can run the script of the pack for assertions of type {kind!r}")
        if judge is None:
            raise Raised(f"there is no assertion of type {kind!r}")
        row = judge(scene)
    except Raised as raised:
        row = failing(str(raised))
    return replace(row, name=name_of(scene), type=kind)


def name_of(scene: Scene) -> str:
    """The name of an assertion's row."""
    return str(scene.assertion.get("name", scene.key))


def scene_of(spec: GraderSpec, evidence: Evidence, judges: Mapping[str, Judge]) -> Scene:
    """The scene of a grader's specification."""
    config = mapping(spec.config)
    assertion = mapping(config.get("assertion")) or _conversation(config)
    return Scene(spec.key, assertion, facts_of(config), evidence.recording, judges)


def _conversation(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """The assertion that judges a conversation as a whole; empty where there is none."""
    if "conversation" not in config:
        return {}
    named = {"name": "conversation", "type": "conversation"}
    return {**named, **mapping(config["conversation"]), "assertions": config.get("assertions")}


def needs_with(judges: Mapping[str, Judge]) -> Callable[[GraderSpec, Evidence], tuple[Need, ...]]:
    """What a grader needs next, given what was run and asked so far; empty when it can judge."""

    def needs(spec: GraderSpec, evidence: Evidence) -> tuple[Need, ...]:
        try:
            row_of(scene_of(spec, evidence, judges))
        except Needed as needed:
            return needed.needs
        except (Missing, Broken, Stopped, Skipped):
            return ()
        return ()

    return needs


def grade_with(judges: Mapping[str, Judge]) -> Callable[[GraderSpec, Evidence], Grade]:
    """A grader from the judges of all types."""

    def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
        return finish(spec, _judgement(scene_of(spec, evidence, judges)))

    return grade


def _judgement(scene: Scene) -> Judgement:
    try:
        row = row_of(scene)
    except Skipped as skipped:
        return infra_error(str(skipped), **description_of(skipped.row(scene), scene))
    except Needed as needed:
        return unavailable(needed.needs[0].without())
    except Missing as missing:
        return unavailable(str(missing))
    except Stopped as stopped:
        return pack_error(str(stopped))
    except Broken as broken:
        return infra_error(str(broken))
    if scene.assertion.get("negate") is True:
        row = negated(row)
    failed = "; ".join(check.text for check in row.checks if not check.passed)
    return decided(row.says is RowVerdict.PASS, failed[:1000], score=row.score, **description_of(row, scene))


def description_of(row: ScoreRow, scene: Scene) -> dict[str, Any]:
    """What a grade keeps of a row, with what asking models for it used up."""
    usage = usage_of(scene)
    return {"kind": "assertion", "row": row.as_dict(), **({"usage": usage} if usage["calls"] else {})}


def usage_of(scene: Scene) -> dict[str, Any]:
    """Calls, tokens and US dollars of the models that were asked for an assertion and its members; a cost that is not
    known for any call is None."""
    asked = [
        reply
        for key, reply in scene.recording.replies.items()
        if key == scene.key or key.startswith((f"{scene.key}/", f"{scene.key}#"))
    ]
    made = [reply for reply in asked if reply.get("seconds") is not None]
    costs = [as_number(reply.get("cost_usd")) for reply in made]
    tokens = [as_count(reply.get(name)) for reply in made for name in ("input_tokens", "output_tokens")]
    return {
        "calls": sum(as_count(reply.get("calls")) or 1 for reply in made),
        "tokens": sum(count for count in tokens if count is not None),
        "cost_usd": None if None in costs else sum(cost for cost in costs if cost is not None),
    }
