import pytest
from django.urls import reverse

from runs.launch.launching import Options, launch
from runs.models import Trial
from runs.views.results.cells import SHOWN_CHARACTERS
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(author, version, agents):
    return work_off(launch(author, version, [agents["reference"], agents["empty"]], Options(trials=2)))


def address(run, agent="empty", position=1):
    return reverse("runs:cell", args=[run.pk, run.agents.get(name=agent).pk, position])


def test_a_cell_shows_each_trial_with_its_reasons_and_its_answer(as_author, run):
    failed = as_author.get(address(run))
    text = failed.content.decode()
    [first, second] = [each.trial for each in failed.context["reasoned"]]
    assert (first.case_key, first.number, second.number) == ("case-0001", 1, 2)
    assert all(grade.verdict != "pass" and grade.reason in text for grade in first.grades.exclude(verdict="pass"))
    assert reverse("runs:trial", args=[first.pk]) in text
    passed = as_author.get(address(run, "reference"))
    assert passed.context["reasoned"][0].answer
    assert passed.context["cell"].look.described == "2 of 2 passed"


def test_long_answers_are_cut(as_author, run):
    Trial.objects.filter(run=run).update(final_output="x" * (SHOWN_CHARACTERS + 1))
    [each, _] = as_author.get(address(run)).context["reasoned"]
    assert (len(each.answer), each.is_cut) == (SHOWN_CHARACTERS, True)


def test_beside_the_grid_it_is_a_part_and_the_address_stays(as_author, run):
    part = as_author.get(address(run), headers={"HX-Request": "true"})
    assert b"<html" not in part.content
    assert part.headers["HX-Push-Url"] == "false"


def test_cells_that_are_not_there_are_not_found(as_author, as_stranger, run):
    assert as_author.get(address(run, position=99)).status_code == 404
    assert as_author.get(reverse("runs:cell", args=[run.pk, 10**6, 1])).status_code == 404
    assert as_stranger.get(address(run)).status_code == 404


def test_the_whole_grid_is_downloaded_as_a_picture_and_as_a_table(as_author, run):
    picture = as_author.get(reverse("runs:grid-svg", args=[run.pk]))
    table = as_author.get(reverse("runs:grid-csv", args=[run.pk]))
    assert picture["Content-Type"] == "image/svg+xml"
    assert b"</svg>" in picture.content
    assert picture["Content-Disposition"] == f'attachment; filename="run-{run.pk}-cases.svg"'
    lines = b"".join(table).decode().splitlines()
    assert len(lines) == 1 + run.trials.values("case_position").distinct().count()
