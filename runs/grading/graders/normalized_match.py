"""normalized_match: the texts are equal after a pipeline of normalisation steps."""

from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import grade_pair
from runs.grading.graders.contract import Grade, Judgement, decided
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.settings import BadSettings, Settings
from runs.grading.graders.texts import DEFAULT_PIPELINE, STEPS, run_pipeline

SETTINGS = ("pipeline", "normalizations")


def _steps(settings: Settings) -> list[str]:
    steps, alias = settings.texts("pipeline"), settings.texts("normalizations")
    if steps and alias:
        raise BadSettings("config must not give both pipeline and normalizations")
    chosen = steps or alias or list(DEFAULT_PIPELINE)
    unknown = [step for step in chosen if step not in STEPS]
    if unknown:
        raise BadSettings(f"unknown normalisation step {unknown[0]!r}")
    return chosen


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    steps = _steps(settings)
    left, right = run_pipeline(actual, steps), run_pipeline(expected, steps)
    return decided(
        left == right,
        "the texts differ after normalisation",
        pipeline=steps,
        normalized_actual=left,
        normalized_expected=right,
    )


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    return grade_pair(spec, evidence, lambda a, b: compare(a, b, Settings(spec.config, SETTINGS)))
