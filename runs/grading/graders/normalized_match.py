"""normalized_match: the texts are equal after a pipeline of normalisation steps."""

from packs.formats.kinds import Settings
from runs.grading.graders.comparison import by_settings
from runs.grading.graders.contract import Judgement, decided
from runs.grading.graders.texts import DEFAULT_PIPELINE, run_pipeline


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    steps = settings["pipeline"] or settings["normalizations"] or list(DEFAULT_PIPELINE)
    left, right = run_pipeline(actual, steps), run_pipeline(expected, steps)
    return decided(
        left == right,
        "the texts differ after normalisation",
        pipeline=steps,
        normalized_actual=left,
        normalized_expected=right,
    )


grade = by_settings(compare)
