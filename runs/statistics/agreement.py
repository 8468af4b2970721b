"""How far people agree who judged the same things: shares of equal judgements, and kappas that take chance off.

Cohen, J. (1960), A coefficient of agreement for nominal scales. Fleiss, J. L. (1971), Measuring nominal scale agreement
among many raters; for things that not everybody judged as Gwet, K. L. (2014), Handbook of inter-rater reliability, 2.4.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean

from runs.statistics.reliability import alpha, interval, nominal

# What people said of one thing: who, and what.
Item = Mapping[str, int]
COHEN, FLEISS = "cohen", "fleiss"


@dataclass(frozen=True, slots=True)
class Agreement:
    """What people agree on over `items` things that at least two of them judged.

    `raw` is the share of pairs of judgements of one thing that are equal; `kappa` is 1 where all are, 0 where they are
    as often as by chance, below 0 where less often, and None where everybody said the same of everything. `alpha` is
    Krippendorff's, which also counts how far numbers are apart. `base` is the share of the judgement that was given
    most often: near 1, kappa and alpha rest on the few others.
    """

    items: int
    people: int
    raw: float
    kappa: float | None
    method: str
    alpha: float | None
    base: float

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def agreement(items: Iterable[Item], *, are_numbers: bool = False) -> Agreement | None:
    """How far people agree; of two by Cohen's kappa, of more by Fleiss'. None where nothing was judged twice.

    Judgements that are numbers are apart by their difference, others are equal or not.
    """
    judged = [item for item in items if len(item) > 1]
    people = sorted({person for item in judged for person in item})
    if not judged:
        return None
    ratings = [list(item.values()) for item in judged]
    raw = fmean(_share(listed) for listed in ratings)
    shared = (alpha(ratings, interval if are_numbers else nominal), _base(ratings))
    if len(people) == 2:
        first, second = people
        kappa = cohen([(item[first], item[second]) for item in judged])
        return Agreement(len(judged), 2, raw, kappa, COHEN, *shared)
    return Agreement(len(judged), len(people), raw, fleiss(ratings), FLEISS, *shared)


def pairs(items: Iterable[Item]) -> dict[tuple[str, str], Agreement]:
    """How far each two people agree who judged the same things, by their names in order."""
    shared: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for item in items:
        for first, second in combinations(sorted(item), 2):
            shared.setdefault((first, second), []).append((item[first], item[second]))
    return {
        names: Agreement(
            *(len(said), 2, fmean(one == other for one, other in said), cohen(said), COHEN), alpha(said), _base(said)
        )
        for names, said in sorted(shared.items())
    }


def cohen(said: Sequence[tuple[int, int]]) -> float | None:
    """Cohen's kappa of two people; None where chance alone makes them agree."""
    total = len(said)
    firsts, seconds = Counter(one for one, _ in said), Counter(other for _, other in said)
    chance = sum(firsts[value] * seconds[value] for value in firsts) / (total * total)
    return _beyond(fmean(one == other for one, other in said), chance)


def fleiss(ratings: Sequence[Sequence[int]]) -> float | None:
    """Fleiss' kappa of things with two or more judgements each; None where chance alone makes people agree."""
    shares: defaultdict[int, float] = defaultdict(float)
    for listed in ratings:
        for value in listed:
            shares[value] += 1 / len(listed) / len(ratings)
    chance = sum(share**2 for share in shares.values())
    return _beyond(fmean(_share(listed) for listed in ratings), chance)


def _share(listed: Sequence[int]) -> float:
    """The share of pairs of judgements that are equal."""
    total = len(listed)
    return sum(count * (count - 1) for count in Counter(listed).values()) / (total * (total - 1))


def _base(ratings: Sequence[Sequence[int]]) -> float:
    """The share of all judgements that are the one given most often."""
    given = Counter(value for listed in ratings for value in listed)
    return max(given.values()) / given.total()


def _beyond(seen: float, chance: float) -> float | None:
    return None if chance > 1 - 1e-12 else (seen - chance) / (1 - chance)
