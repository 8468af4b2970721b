"""From a failed trial to a new case of a draft: what it says, where it goes, and whether it is there already."""

from runs.results.failures.drafting import Drafted, TargetSet, draft, find_place, keep, places_of
from runs.results.failures.duplicates import Duplicate, duplicates_of
from runs.results.failures.reading import failure_of
from runs.results.failures.several import MOST_CASES, Made, make_cases
from runs.results.failures.wording import Wording, worded, wording_in, wording_of

__all__ = [
    "MOST_CASES",
    "Drafted",
    "Duplicate",
    "Made",
    "TargetSet",
    "Wording",
    "draft",
    "duplicates_of",
    "failure_of",
    "find_place",
    "keep",
    "make_cases",
    "places_of",
    "worded",
    "wording_in",
    "wording_of",
]
