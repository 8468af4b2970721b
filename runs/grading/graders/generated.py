"""The frame of the graders of generated text: what cannot be compared becomes an error with a reason."""

from collections.abc import Callable

from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import grade_pair
from runs.grading.graders.contract import Grade, Judgement, evaluator_error, pack_error
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.references import BadReferences, TooMuch
from runs.grading.graders.settings import Settings

Compare = Callable[[str, str, Settings], Judgement]


def grade_generated(spec: GraderSpec, evidence: Evidence, compare: Compare, known: tuple[str, ...]) -> Grade:
    """Grade by a comparison that may refuse its references or find the texts too long."""

    def judged(actual: str, expected: str) -> Judgement:
        try:
            return compare(actual, expected, Settings(spec.config, known))
        except BadReferences as error:
            return pack_error(str(error))
        except TooMuch as error:
            return evaluator_error(str(error))

    return grade_pair(spec, evidence, judged)
