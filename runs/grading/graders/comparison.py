"""The parts that graders share: resolving what is compared, and turning a judgement into a grade."""

from collections.abc import Callable

from packs.formats.kinds import Settings
from packs.formats.kinds.settings import BadSettings, read
from packs.formats.task import GraderSpec
from runs.grading.graders.contract import (
    Grade,
    Judgement,
    Resolved,
    Source,
    decided,
    evaluator_error,
    pack_error,
    unavailable,
)
from runs.grading.graders.evidence import Evidence

Compare = Callable[[str, str], Judgement]
Inspect = Callable[[str], Judgement]

NOTHING = Resolved(None)


class TooMuch(ValueError):
    """Evidence that would take too long to judge."""


def settings_of(spec: GraderSpec) -> Settings:
    """The settings of a grader, checked and filled from the schema of its kind. Raises BadSettings."""
    return read(spec.kind, spec.config)


def by_settings(
    compare: Callable[[str, str, Settings], Judgement],
) -> Callable[[GraderSpec, Evidence], Grade]:
    """The grader that compares the text of the target with the expected text by its settings."""

    def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
        return grade_pair(spec, evidence, lambda actual, expected: compare(actual, expected, settings_of(spec)))

    return grade


def by_texts(compare: Compare) -> Callable[[GraderSpec, Evidence], Grade]:
    """The grader that compares the text of the target with the expected text, without settings."""
    return lambda spec, evidence: grade_pair(spec, evidence, compare)


def grade_pair(spec: GraderSpec, evidence: Evidence, compare: Compare) -> Grade:
    """Grade by comparing the text of the target with the expected text."""
    actual = evidence.resolve(spec.target)
    expected = evidence.resolve(spec.expected)
    return finish(spec, _pair(actual, expected, compare), actual, expected)


def _pair(actual: Resolved, expected: Resolved, compare: Compare) -> Judgement:
    for side in (actual, expected):
        if side.malformed:
            return pack_error(side.reason)
    if actual.text is None:
        return unavailable(actual.reason)
    if expected.text is None:
        return unavailable(f"expected value: {expected.reason}")
    return guarded(lambda: compare(actual.text or "", expected.text or ""))


def grade_target(spec: GraderSpec, evidence: Evidence, inspect: Inspect) -> Grade:
    """Grade by looking at the text of the target alone."""
    actual = evidence.resolve(spec.target)
    if actual.malformed:
        return finish(spec, pack_error(actual.reason), actual)
    if actual.text is None:
        return finish(spec, unavailable(actual.reason), actual)
    text = actual.text
    return finish(spec, guarded(lambda: inspect(text)), actual)


def guarded(judge: Callable[[], Judgement]) -> Judgement:
    """Run a judgement; settings that cannot be used are the pack author's mistake, too much evidence is nobody's."""
    try:
        return judge()
    except BadSettings as error:
        return pack_error(str(error))
    except TooMuch as error:
        return evaluator_error(str(error))


def finish(
    spec: GraderSpec,
    judgement: Judgement,
    actual: Resolved = NOTHING,
    expected: Resolved = NOTHING,
    source: Source | None = None,
) -> Grade:
    """The grade of a judgement, with where its values came from; texts only when there was something to judge."""
    both = actual.text is not None and (not spec.expected or expected.text is not None or expected is NOTHING)
    return Grade(
        key=spec.key,
        kind=spec.kind,
        state=judgement.state,
        outcome=judgement.outcome,
        verdict=judgement.verdict,
        score=judgement.score,
        reason=judgement.reason,
        target=spec.target,
        expected_from=spec.expected,
        actual=actual.text if both else None,
        expected=expected.text if both else None,
        source=source or actual.source,
        raw=judgement.raw,
    )


def by_threshold(score: float, threshold: float, **raw: object) -> Judgement:
    """A graded judgement: a pass at or above the threshold, and the score in any case."""
    reason = f"the score {score:.4f} is below the threshold {threshold:.4f}"
    return decided(score >= threshold, reason, score=score, threshold=threshold, **raw)
