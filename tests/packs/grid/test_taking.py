from dataclasses import replace

import pytest

from packs.formats.tables import read_table
from packs.grid.beginnings import likely_recipe
from packs.grid.columns import columns_of, key_pointer
from packs.grid.guessing import guessed
from packs.grid.merging import Merge
from packs.grid.taking import create_from_table, take_table
from packs.importing import ImportRefused
from packs.mirror import format_of
from packs.models import Pack
from tests.packs.grid.benchmark import grid_draft

TABLE = read_table("question,answer\nWhere is PX-1?,Leeds\nWhere is PX-2?,York\n")


def test_a_table_becomes_a_draft_that_has_no_problems(team, author):
    pack = create_from_table(team, author, likely_recipe(TABLE, "agentv", "Parcel desk"), TABLE)
    assert (pack.slug, pack.title, pack.problem_errors, pack.cases.count()) == ("parcel-desk", "Parcel desk", 0, 2)
    with pytest.raises(ImportRefused) as refused:
        create_from_table(team, author, replace(likely_recipe(TABLE, "agentv", "Desk"), slug=pack.slug), TABLE)
    assert [finding.code for finding in refused.value.findings] == ["pack.E013"]


def test_of_a_table_with_a_bad_row_nothing_is_written(team, author):
    table = read_table("question,answer\nWhere is PX-1?,Leeds\nWhere?,\n")
    with pytest.raises(ImportRefused) as refused:
        create_from_table(team, author, likely_recipe(table, "agentv", "Parcel desk"), table, takes_errors=True)
    assert [(finding.code, finding.line) for finding in refused.value.findings] == [("table.E001", 3)]
    assert not Pack.objects.exists()


def test_a_set_takes_a_table_whole_or_not_at_all(team, author):
    draft = grid_draft(team)
    table = read_table("id,question,accepted_answers\nfine,Why?,so\nempty,,so\n")
    columns = columns_of(format_of(draft), draft.input_sets.get())
    way = Merge(draft, draft.input_sets.get(), guessed(table, draft, columns, {}), key_pointer(format_of(draft)))
    with pytest.raises(ImportRefused) as refused:
        take_table(way, author, table, "t.csv")
    assert [finding.line for finding in refused.value.findings] == [3]
    assert draft.edits.count() == 0
    take_table(way, author, table, "t.csv", takes_errors=True)
    assert draft.cases.count() == 8
    assert draft.edits.values("group").distinct().count() == 1
