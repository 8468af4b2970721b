import pytest

from tests.packs.grid.benchmark import grid_draft


@pytest.fixture
def draft(team):
    return grid_draft(team)


@pytest.fixture
def rows_url(draft):
    return f"/packs/default/rows/edit/sets/{draft.input_sets.get().pk}/rows/"


@pytest.fixture
def cell_url(draft):
    """The address of a case's cells: `cell_url("row-1")`."""
    return lambda key: f"/packs/default/rows/edit/cases/{draft.cases.get(key=key).pk}/cell/"
