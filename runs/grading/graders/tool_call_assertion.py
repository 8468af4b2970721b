"""tool_call_assertion: the tool calls of the trial are as the configuration asserts (challenge-pack d.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import NOTHING, finish
from runs.grading.graders.contract import Grade, Judgement, decided, evaluator_error, pack_error
from runs.grading.graders.evidence import Evidence, ToolCall
from runs.grading.graders.settings import BadSettings, Settings
from runs.grading.graders.texts import trim
from runs.grading.graders.values import TooDeep, json_contains

SETTINGS = (
    "tool_name",
    "must_call",
    "count",
    "min_count",
    "max_count",
    "arguments_contain",
    "ordered_tools",
    "order_mode",
)


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
    """Raises BadSettings for a configuration without any assertion or with one that cannot hold."""
    assertion = Assertion(
        tool_name=trim(settings.text("tool_name")),
        must_call=settings.flag("must_call") if settings.value("must_call") is not None else None,
        count=settings.whole("count"),
        min_count=settings.whole("min_count"),
        max_count=settings.whole("max_count"),
        fragment=_fragment(settings),
        order=[trim(name) for name in settings.texts("ordered_tools")],
        order_mode=trim(settings.text("order_mode")),
    )
    for problem in _problems(assertion):
        raise BadSettings(problem)
    return assertion


def _fragment(settings: Settings) -> dict[str, Any] | None:
    fragment = settings.value("arguments_contain")
    if fragment is not None and not isinstance(fragment, dict):
        raise BadSettings("config.arguments_contain must be a map")
    return fragment


def _problems(assertion: Assertion) -> Iterator[str]:
    if assertion.presence is None and not assertion.counts and not assertion.order:
        yield "config must make at least one assertion"
    yield from _count_problems(assertion)
    yield from _order_problems(assertion)


def _count_problems(assertion: Assertion) -> Iterator[str]:
    exact, least, most = assertion.count, assertion.min_count, assertion.max_count
    if any(number is not None and number < 0 for number in (exact, least, most)):
        yield "counts must not be negative"
    if exact is not None and (least is not None or most is not None):
        yield "config.count must not be given with min_count or max_count"
    if least is not None and most is not None and least > most:
        yield "config.min_count must not be greater than max_count"
    if assertion.must_call is True and 0 in (exact, most):
        yield "config.must_call must not be true when no call is allowed"
    if assertion.must_call is False and ((exact or 0) > 0 or (least or 0) > 0):
        yield "config.must_call must not be false when calls are asked for"


def _order_problems(assertion: Assertion) -> Iterator[str]:
    if not all(assertion.order):
        yield "config.ordered_tools must not hold empty names"
    if assertion.order_mode not in ("", "subsequence", "exact"):
        yield f"config.order_mode must be subsequence or exact, not {assertion.order_mode!r}"
    if assertion.order_mode and not assertion.order:
        yield "config.order_mode needs ordered_tools"


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
        if spec.config is None:
            raise BadSettings("config is required")
        assertion = read_assertion(Settings(spec.config, SETTINGS))
    except BadSettings as error:
        return finish(spec, pack_error(str(error)))
    try:
        judgement, matched = judge(assertion, evidence.recording.tool_calls)
    except TooDeep as error:
        return finish(spec, evaluator_error(f"the arguments cannot be compared: {error}"))
    return finish(spec, judgement, NOTHING, NOTHING, matched[0].source if matched else None)
