"""chrf_score: the character n-gram F score reaches a threshold, best over the references (challenge-pack d.3).

White space is removed first; precision and recall are means over the orders 1 to the smallest of `char_order` and the
two lengths (Popovic 2015).
"""

from statistics import fmean

from packs.formats.kinds import Settings
from runs.grading.graders.comparison import by_settings, by_threshold
from runs.grading.graders.contract import Judgement
from runs.grading.graders.references import (
    bounded_orders,
    f_score,
    ngrams,
    prepared_texts,
    read_beta,
    share,
)
from runs.grading.graders.texts import without_space


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    order, beta = settings["char_order"], read_beta(settings)
    text, references = prepared_texts(actual, expected, settings)
    candidate = without_space(text)
    found = [_precision_and_recall(candidate, without_space(reference), order) for reference in references]
    precision, recall = max(found, key=lambda pair: f_score(pair[0], pair[1], beta))
    return by_threshold(f_score(precision, recall, beta), settings["threshold"], precision=precision, recall=recall)


def _precision_and_recall(candidate: str, reference: str, char_order: int) -> tuple[float, float]:
    orders = min(char_order, len(candidate), len(reference))
    if orders == 0:
        both_empty = float(not candidate and not reference)
        return both_empty, both_empty
    bounded_orders(orders, len(candidate), len(reference))
    pairs = [_of_order(candidate, reference, size) for size in range(1, orders + 1)]
    return fmean(precision for precision, _ in pairs), fmean(recall for _, recall in pairs)


def _of_order(candidate: str, reference: str, size: int) -> tuple[float, float]:
    shared = (ngrams(candidate, size) & ngrams(reference, size)).total()
    return share(shared, len(candidate) - size + 1), share(shared, len(reference) - size + 1)


grade = by_settings(compare)
