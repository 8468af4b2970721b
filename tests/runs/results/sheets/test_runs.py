import pytest

from runs.replay.redaction import Redactor
from runs.results.sheets.runs import run_sheet
from tests.runs.noise import noisy_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author, version):
    return noisy_run(team, author, version)


def test_it_has_every_chart_with_its_table_the_grid_and_every_trial(run):
    page = run_sheet(run, Redactor())
    assert page.count("<svg") == 7
    assert page.count("<summary>Table</summary>") == 6
    assert page.count("<pre") == run.trial_count == 36
    assert "left out" not in page


def test_of_very_many_trials_the_first_are_on_the_page_and_the_rest_counted(run, monkeypatch):
    monkeypatch.setattr("runs.results.sheets.runs.MOST_TRIALS", 30)
    page = run_sheet(run, Redactor())
    assert page.count("<pre") == 30
    assert "6 more trials are left out" in page
