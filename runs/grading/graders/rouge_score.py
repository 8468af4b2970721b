"""rouge_score: the F score of a ROUGE variant reaches a threshold, best over the references (challenge-pack d.3)."""

from packs.formats.kinds import Settings
from runs.grading.graders.comparison import TooMuch, by_settings, by_threshold
from runs.grading.graders.contract import Judgement
from runs.grading.graders.references import (
    f_score,
    ngrams,
    prepared_texts,
    read_beta,
    share,
)
from runs.grading.graders.texts import words
from runs.replay.bitrows import common_length

MAX_TOKENS = 100_000

Words = tuple[str, ...]


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    variant, beta = settings["variant"], read_beta(settings)
    text, references = prepared_texts(actual, expected, settings)
    candidate = tuple(words(text))
    found = [_precision_and_recall(candidate, tuple(words(reference)), variant) for reference in references]
    precision, recall = max(found, key=lambda pair: f_score(pair[0], pair[1], beta))
    score = f_score(precision, recall, beta)
    return by_threshold(score, settings["threshold"], variant=variant, precision=precision, recall=recall)


def _precision_and_recall(candidate: Words, reference: Words, variant: str) -> tuple[float, float]:
    if variant == "rouge-l":
        if max(len(candidate), len(reference)) > MAX_TOKENS:
            raise TooMuch(f"one of the texts has more than {MAX_TOKENS} words")
        shared = common_length(candidate, reference)
        return share(shared, len(candidate)), share(shared, len(reference))
    size = 1 if variant == "rouge-1" else 2
    shared = (ngrams(candidate, size) & ngrams(reference, size)).total()
    return share(shared, len(candidate) - size + 1), share(shared, len(reference) - size + 1)


grade = by_settings(compare)
