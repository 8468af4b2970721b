"""bleu_score: BLEU over blank-separated tokens reaches a threshold (challenge-pack d.3; Papineni et al. 2002).

Orders run from 1 to the smaller of `max_ngram` and the candidate's length. Smoothing `method1` gives orders above 1
that match nothing the precision 1 / (n-grams + 1).
"""

import math
from collections import Counter
from collections.abc import Sequence

from packs.formats.kinds import Settings
from runs.grading.graders.comparison import by_settings, by_threshold
from runs.grading.graders.contract import Judgement
from runs.grading.graders.references import bounded_orders, ngrams, prepared_texts
from runs.grading.graders.texts import words

Words = tuple[str, ...]


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    threshold, smoothing = settings["threshold"], settings["smoothing"]
    text, references = prepared_texts(actual, expected, settings)
    candidate, wanted = tuple(words(text)), [tuple(words(reference)) for reference in references]
    if not candidate:
        return by_threshold(float(wanted == [()]), threshold, precisions=[], brevity_penalty=1.0)
    orders = bounded_orders(min(settings["max_ngram"], len(candidate)), len(candidate), *map(len, wanted))
    precisions = [_precision(candidate, wanted, order, smoothing) for order in range(1, orders + 1)]
    mean = math.exp(math.fsum(map(math.log, precisions)) / orders) if all(precisions) else 0.0
    penalty = _brevity_penalty(len(candidate), [len(reference) for reference in wanted])
    return by_threshold(penalty * mean, threshold, precisions=precisions, brevity_penalty=penalty)


def _precision(candidate: Words, references: Sequence[Words], order: int, smoothing: str) -> float:
    total = len(candidate) - order + 1
    most: Counter[Sequence[str] | str] = Counter()
    for reference in references:
        most |= ngrams(reference, order)
    matches = (ngrams(candidate, order) & most).total()
    if matches == 0 and order > 1 and smoothing == "method1":
        return 1 / (total + 1)
    return matches / total


def _brevity_penalty(length: int, references: Sequence[int]) -> float:
    """Below 1 when the candidate is shorter than the reference closest in length; of two, the shorter."""
    closest = min(references, key=lambda reference: (abs(reference - length), reference))
    return math.exp(1 - closest / length) if length < closest else 1.0


grade = by_settings(compare)
