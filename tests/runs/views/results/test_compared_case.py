"""One case of a comparison, opened."""

import pytest

from runs.launch.launching import launch
from runs.models import Grade
from runs.results.comparing import comparison_of
from runs.views.results.compared_case import find_row, opened_case
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def comparison(author, version, agents):
    runs = [work_off(launch(author, version, [agents[name]])) for name in ("reference", "echo")]
    runs[0].trials.filter(case_position=1).delete()
    return comparison_of(runs)


def test_a_row_is_found_by_any_of_its_trials(comparison):
    row = comparison.rows[0]
    assert [find_row(comparison, str(cell.samples[0].id)) for cell in row.cells] == [row, row]
    assert [find_row(comparison, wanted) for wanted in ("", "0", "case-0000", "²")] == [None] * 4


def test_outputs_stand_side_by_side_in_few_queries(comparison, django_assert_num_queries):
    with django_assert_num_queries(2):
        opened = opened_case(comparison.rows[0])
    assert [side.place for side in opened.sides] == [0, 1]
    assert not opened.sides[1].is_alike
    assert {line.kind for line in opened.sides[1].against.lines} == {"added", "removed"}


def test_a_case_that_the_base_lacks_is_held_against_nothing(comparison):
    opened = opened_case(next(row for row in comparison.rows if row.state == "new"))
    assert [(side.place, side.against, side.is_alike) for side in opened.sides] == [(1, None, False)]


def test_graders_are_told_apart_by_verdict_score_and_being_asked(comparison):
    row = comparison.rows[0]
    first = row.cells[0].deciding.id
    Grade.objects.create(trial_id=first, position=90, key="style", kind="contains", state="available", verdict="pass")
    told = {grade.key: [said.verdict if said else None for said in grade.said] for grade in opened_case(row).grades}
    assert told["style"] == ["pass", None]


def test_trials_that_are_gone_by_now_are_left_out(comparison):
    row = comparison.rows[0]
    type(comparison.columns[0].run).objects.filter(pk=comparison.columns[1].run.pk).get().trials.all().delete()
    assert [side.place for side in opened_case(row).sides] == [0]
