"""What some formats can do beyond the contract."""

import pytest

from packs.formats import FORMATS
from packs.formats.abilities import (
    ARRANGERS,
    KEEPERS,
    PLANNERS,
    TRACERS,
    WRITERS,
    Origin,
    arranger_of,
    keeper_of,
    planner_of,
    tracer_of,
    writer_of,
)


@pytest.mark.parametrize("name", FORMATS)
def test_every_ability_that_is_listed_is_there_and_no_other(name):
    assert (arranger_of(name) is not None) is (name in ARRANGERS)
    assert (writer_of(name) is not None) is (name in WRITERS)
    assert (tracer_of(name) is not None) is (name in TRACERS)
    assert (planner_of(name) is not None) is (name in PLANNERS)
    assert (keeper_of(name) is not None) is (name in KEEPERS)
    if planner := planner_of(name):
        assert not planner.tells_of_judges("data/rows.jsonl")
    if arranger := arranger_of(name):
        assert all(arranger.label_of(key) == label for key, label in arranger.ARRANGEMENTS.items())
    if writer := writer_of(name):
        assert writer.VARIANTS


def test_an_origin_without_facts_is_not_known():
    assert not Origin(is_checked_out=True).is_known
    assert Origin(row="7").is_known
