import pytest

from packs.grid.columns import columns_of
from packs.mirror import format_of
from tests.packs.grid.benchmark import grid_draft


@pytest.fixture
def draft(team):
    return grid_draft(team)


@pytest.fixture
def rows_file(draft):
    return draft.input_sets.get()


@pytest.fixture
def columns(draft, rows_file):
    return columns_of(format_of(draft), rows_file)
