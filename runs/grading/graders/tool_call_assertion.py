"""tool_call_assertion: the tool calls of the trial are as the configuration asserts (challenge-pack d.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from packs.formats.kinds import Settings
from packs.formats.kinds.settings import BadSettings
from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import NOTHING, finish, settings_of
from runs.grading.graders.contract import Grade, Judgement, decided, evaluator_error, pack_error
from runs.grading.graders.evidence import Evidence, ToolCall
from runs.grading.graders.texts import trim
from runs.grading.graders.values import TooDeep, json_contains


@dataclass(frozen=True, slots=True)
class Assertion:
    """What is asserted of the successful calls; None and empty where nothing is."""

    tool_name: str
    must_call: bool | None
    count: int | None
    min_count: int | None
    max_count: int | None
    fragment: dict[str, Any] | None
    order: Sequence[str]
    order_mode: str

    @property
    def counts(self) -> bool:
        return any(number is not None for number in (self.count, self.min_count, self.max_count))

    @property
    def presence(self) -> bool | None:
        """Whether a matching call must occur (True), must not (False), or neither is asserted."""
        if self.must_call is not None:
            return self.must_call
        if self.counts or not (self.tool_name or self.fragment is not None):
            return None
        return True

    def matches(self, call: ToolCall) -> bool:
        if call.failed or (self.tool_name and call.name != self.tool_name):
            return False
        return self.fragment is None or json_contains(call.arguments, self.fragment)


def read_assertion(settings: Settings) -> Assertion:
    """The assertion that checked settings make."""
    return Assertion(
        tool_name=settings["tool_name"],
        must_call=settings["must_call"],
        count=settings["count"],
        min_count=settings["min_count"],
        max_count=settings["max_count"],
        fragment=settings["arguments_contain"],
        order=[trim(name) for name in settings["ordered_tools"]],
        order_mode=settings["order_mode"],
    )


def judge(assertion: Assertion, calls: Sequence[ToolCall]) -> tuple[Judgement, list[ToolCall]]:
    """The judgement, and the calls that matched."""
    matched = [call for call in calls if assertion.matches(call)]
    observed = [call.name for call in calls if not call.failed]
    reasons = [*_presence_reasons(assertion, len(matched)), *_count_reasons(assertion, len(matched))]
    if assertion.order and not _is_in_order(assertion, observed):
        reasons.append(f"the order of calls is not {' > '.join(assertion.order)}")
    judgement = decided(
        not reasons,
        "; ".join(reasons),
        matched_count=len(matched),
        observed_tools=observed[:100],
        observed_count=len(observed),
        failed_count=len(calls) - len(observed),
    )
    return judgement, matched


def _presence_reasons(assertion: Assertion, matched: int) -> Iterator[str]:
    if assertion.presence is True and not matched:
        yield "no call matches"
    if assertion.presence is False and matched:
        yield "a call matches that must not occur"


def _count_reasons(assertion: Assertion, matched: int) -> Iterator[str]:
    if assertion.count is not None and matched != assertion.count:
        yield f"{matched} calls match instead of {assertion.count}"
    if assertion.min_count is not None and matched < assertion.min_count:
        yield f"{matched} calls match, fewer than {assertion.min_count}"
    if assertion.max_count is not None and matched > assertion.max_count:
        yield f"{matched} calls match, more than {assertion.max_count}"


def _is_in_order(assertion: Assertion, observed: Sequence[str]) -> bool:
    if assertion.order_mode == "exact":
        return list(observed) == list(assertion.order)
    remaining = iter(observed)
    return all(name in remaining for name in assertion.order)


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    try:
        assertion = read_assertion(settings_of(spec))
    except BadSettings as error:
        return finish(spec, pack_error(str(error)))
    try:
        judgement, matched = judge(assertion, evidence.recording.tool_calls)
    except TooDeep as error:
        return finish(spec, evaluator_error(f"the arguments cannot be compared: {error}"))
    return finish(spec, judgement, NOTHING, NOTHING, matched[0].source if matched else None)
