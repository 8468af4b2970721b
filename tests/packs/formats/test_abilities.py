"""What some formats can do beyond the contract."""

import pytest

from packs.formats import FORMATS, abilities
from packs.formats.abilities import ARRANGERS, PLANNERS, WRITERS, Origin
from packs.formats.registry import Registry


@pytest.mark.parametrize(
    ("ability", "name"),
    [
        (ability, name)
        for ability, entries in vars(abilities).items()
        if isinstance(entries, Registry)
        for name in entries
    ],
)
def test_every_ability_that_is_listed_is_there(ability, name):
    assert name in FORMATS
    assert vars(abilities)[ability][name].__name__.startswith(f"packs.formats.{name}.")


def test_abilities_do_what_they_say():
    assert all(not PLANNERS[name].tells_of_judges("data/rows.jsonl") for name in PLANNERS)
    assert all(WRITERS[name].VARIANTS for name in WRITERS)
    for arranger in map(ARRANGERS.__getitem__, ARRANGERS):
        assert all(arranger.label_of(key) == label for key, label in arranger.ARRANGEMENTS.items())


def test_an_origin_without_facts_is_not_known():
    assert not Origin(is_checked_out=True).is_known
    assert Origin(row="7").is_known
