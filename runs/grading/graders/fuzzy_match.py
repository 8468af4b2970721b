"""fuzzy_match: the texts are similar enough; the score is the similarity (a + b - d) / (a + b).

a and b are the lengths in characters, d the edit distance in which a substitution costs 1 (challenge-pack d.3).
"""

from packs.formats.kinds import Settings
from runs.grading.graders.comparison import by_settings, by_threshold
from runs.grading.graders.contract import Judgement, evaluator_error
from runs.grading.graders.texts import prepared
from runs.replay.bitrows import edit_distance

MAX_CHARACTERS = 100_000


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    left, right = prepared(actual, settings), prepared(expected, settings)
    if max(len(left), len(right)) > MAX_CHARACTERS:
        return evaluator_error(f"one of the texts has more than {MAX_CHARACTERS} characters")
    total = len(left) + len(right)
    distance = edit_distance(left, right)
    similarity = (total - distance) / total if total else 1.0
    return by_threshold(similarity, settings["threshold"], similarity=similarity, distance=distance)


grade = by_settings(compare)
