import csv
from xml.etree import ElementTree

import pytest

from runs.models import Trial
from runs.results.pictures.heat import heat_csv, heat_of, heat_svg
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def run(team, author, version):
    ends = {"=bot<b>": ["pp", "pf", "eu"], "other": ["ff", "pp", "ff"]}
    return run_with(team, author, version, ends)


@pytest.fixture
def entered(run):
    return list(run.agents.order_by("position"))


def test_a_cell_says_what_passed_and_what_is_wrong(run, entered):
    rows = list(heat_of(run, entered))
    assert [row.case for row in rows] == ["case-0000", "case-0001", "case-0002"]
    assert [[cell.words for cell in row.cells] for row in rows] == [
        ["2 of 2 passed", "0 of 2 passed"],
        ["1 of 2 passed, flaky", "2 of 2 passed"],
        ["not judged, error, undecided", "0 of 2 passed"],
    ]


def test_the_first_cases_are_read_and_no_more(run, entered):
    assert [row.case for row in heat_of(run, entered, 2)] == ["case-0000", "case-0001"]
    assert len(list(heat_of(run, entered, 3))) == len(list(heat_of(run, entered, 9))) == 3


def test_an_agent_without_a_trial_leaves_its_cell_empty(run, entered):
    Trial.objects.filter(run_agent=entered[1], case_key="case-0001").delete()
    rows = list(heat_of(run, entered))
    assert rows[1].cells[1] is None
    assert [line.count(",") for line in heat_csv(entered, iter(rows))] == [7] * 4


def test_the_table_has_every_number_and_no_formula(run, entered):
    rows = list(csv.reader(heat_csv(entered, heat_of(run, entered))))
    assert rows[0] == [
        "challenge",
        "case",
        *(f"{name}: {what}" for name in ("'=bot<b>", "other") for what in ("passed", "judged", "marks")),
    ]
    assert rows[2][1:] == ["case-0001", "1", "2", "flaky", "2", "2", ""]


def test_the_picture_has_a_shaded_cell_a_case_and_agent_with_its_words(run, entered):
    root = ElementTree.fromstring(heat_svg("Cases", entered, list(heat_of(run, entered))))
    cells = [box.find(f"{SVG}title").text for box in root.iter(f"{SVG}rect") if box.find(f"{SVG}title") is not None]
    assert len(cells) == 6
    assert "case-0001, =bot<b>: 1 of 2 passed, flaky" in cells
    assert len({box.get("fill") for box in root.iter(f"{SVG}rect")}) == 5
