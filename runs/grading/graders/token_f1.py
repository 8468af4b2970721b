"""token_f1: the F1 of blank-separated tokens, counted with multiplicity, reaches a threshold."""

from collections import Counter

from packs.formats.kinds import Settings
from runs.grading.graders.comparison import by_settings, by_threshold
from runs.grading.graders.contract import Judgement
from runs.grading.graders.texts import DEFAULT_PIPELINE, run_pipeline, words


def _steps(settings: Settings) -> list[str]:
    steps = list(DEFAULT_PIPELINE) if settings["normalize"] else []
    if settings["remove_punctuation"]:
        steps.append("strip_punctuation")
    if settings["remove_articles"]:
        steps.append("remove_articles")
    return [*steps, "collapse_whitespace", "trim"] if steps else []


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    threshold = settings["threshold"]
    steps = _steps(settings)
    found, wanted = words(run_pipeline(actual, steps)), words(run_pipeline(expected, steps))
    if not found or not wanted:
        score = float(not found and not wanted)
        return by_threshold(score, threshold, precision=score, recall=score)
    shared = (Counter(found) & Counter(wanted)).total()
    precision, recall = shared / len(found), shared / len(wanted)
    score = 2 * precision * recall / (precision + recall) if shared else 0.0
    return by_threshold(score, threshold, precision=precision, recall=recall)


grade = by_settings(compare)
