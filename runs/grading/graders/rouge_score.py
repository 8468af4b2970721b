"""rouge_score: the F score of a ROUGE variant reaches a threshold, best over the references (challenge-pack d.3)."""

from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import by_threshold
from runs.grading.graders.contract import Grade, Judgement
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.generated import grade_generated
from runs.grading.graders.references import (
    DEFAULT_THRESHOLD,
    TooMuch,
    f_score,
    ngrams,
    prepared_texts,
    read_beta,
    share,
)
from runs.grading.graders.settings import Settings
from runs.grading.graders.texts import words
from runs.replay.bitrows import common_length

MAX_TOKENS = 100_000
SETTINGS = ("threshold", "variant", "beta", "case_insensitive", "normalize")

Words = tuple[str, ...]


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    threshold = settings.share("threshold", DEFAULT_THRESHOLD)
    variant = settings.choice("variant", "rouge-l", "rouge-1", "rouge-2")
    beta = read_beta(settings, 1.0)
    text, references = prepared_texts(actual, expected, settings)
    candidate = tuple(words(text))
    found = [_precision_and_recall(candidate, tuple(words(reference)), variant) for reference in references]
    precision, recall = max(found, key=lambda pair: f_score(pair[0], pair[1], beta))
    return by_threshold(
        f_score(precision, recall, beta), threshold, variant=variant, precision=precision, recall=recall
    )


def _precision_and_recall(candidate: Words, reference: Words, variant: str) -> tuple[float, float]:
    if variant == "rouge-l":
        if max(len(candidate), len(reference)) > MAX_TOKENS:
            raise TooMuch(f"one of the texts has more than {MAX_TOKENS} words")
        shared = common_length(candidate, reference)
        return share(shared, len(candidate)), share(shared, len(reference))
    size = 1 if variant == "rouge-1" else 2
    shared = (ngrams(candidate, size) & ngrams(reference, size)).total()
    return share(shared, len(candidate) - size + 1), share(shared, len(reference) - size + 1)


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    return grade_generated(spec, evidence, compare, SETTINGS)
