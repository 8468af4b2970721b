"""What the graders of generated text share: several references, n-grams, F scores and limits (challenge-pack d.3)."""

from collections import Counter
from collections.abc import Sequence

from packs.formats.kinds import Settings
from packs.formats.kinds.settings import BadSettings
from runs.grading.graders.comparison import TooMuch
from runs.grading.graders.texts import prepared, trim
from runs.grading.graders.values import parse_json

MAX_CHARACTERS = 1_000_000
MAX_REFERENCES = 100
MAX_WORK = 200_000_000


class BadReferences(BadSettings):
    """An expected value that is a JSON list, but not of texts."""


def read_references(expected: str) -> list[str]:
    """The references in an expected value: a JSON list of texts, or the value itself. Raises BadReferences."""
    if not trim(expected):
        return [""]
    if not trim(expected).startswith("["):
        return [expected]
    try:
        references = parse_json(trim(expected))
    except ValueError:
        # A text that merely begins like a list.
        return [expected]
    if not references or len(references) > MAX_REFERENCES or not all(isinstance(item, str) for item in references):
        raise BadReferences(f"the references must be a list of 1 to {MAX_REFERENCES} texts")
    return list(references)


def prepared_texts(actual: str, expected: str, settings: Settings) -> tuple[str, list[str]]:
    """Candidate and references after the options normalize and case_insensitive. Raises BadReferences and TooMuch."""
    if len(actual) + len(expected) > MAX_CHARACTERS:
        raise TooMuch(f"the texts have more than {MAX_CHARACTERS} characters together")
    references = read_references(expected)
    texts = [prepared(text, settings) for text in (actual, *references)]
    return texts[0], texts[1:]


def ngrams(items: Sequence[str] | str, size: int) -> Counter[Sequence[str] | str]:
    """How often each run of `size` neighbours occurs; items are words in a tuple or the characters of a text."""
    return Counter(items[start : start + size] for start in range(len(items) - size + 1))


def bounded_orders(orders: int, *lengths: int) -> int:
    """The number of orders, refused when so many n-grams would take too long. Raises TooMuch."""
    if orders * orders * sum(lengths) > MAX_WORK:
        raise TooMuch("the texts are too long for so many n-gram orders")
    return orders


def f_score(precision: float, recall: float, beta: float) -> float:
    """The weighted harmonic mean; `beta` says how many times recall counts as much as precision."""
    if precision == 0 and recall == 0:
        return 0.0
    square = beta * beta
    return (1 + square) * precision * recall / (square * precision + recall)


def read_beta(settings: Settings) -> float:
    """The weight of recall. Raises BadSettings when it is unusable."""
    beta: float = settings["beta"]
    # Said this way round, it refuses what is not a number, too.
    if not beta <= 1e6:
        raise BadSettings("config.beta must not be greater than 1000000")
    return beta


def share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
