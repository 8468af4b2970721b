"""fuzzy_match: the texts are similar enough; the score is the similarity (a + b - d) / (a + b).

a and b are the lengths in characters, d the edit distance in which a substitution costs 1 (challenge-pack d.3).
"""

from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import by_threshold, grade_pair
from runs.grading.graders.contract import Grade, Judgement, evaluator_error
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.settings import Settings
from runs.grading.graders.texts import prepared
from runs.replay.bitrows import edit_distance

MAX_CHARACTERS = 100_000

SETTINGS = ("threshold", "case_insensitive", "normalize")


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    threshold = settings.share("threshold", 0.8)
    normalize, fold = settings.flag("normalize"), settings.flag("case_insensitive")
    left = prepared(actual, normalize=normalize, case_insensitive=fold)
    right = prepared(expected, normalize=normalize, case_insensitive=fold)
    if max(len(left), len(right)) > MAX_CHARACTERS:
        return evaluator_error(f"one of the texts has more than {MAX_CHARACTERS} characters")
    total = len(left) + len(right)
    distance = edit_distance(left, right)
    similarity = (total - distance) / total if total else 1.0
    return by_threshold(similarity, threshold, similarity=similarity, distance=distance)


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    return grade_pair(spec, evidence, lambda a, b: compare(a, b, Settings(spec.config, SETTINGS)))
