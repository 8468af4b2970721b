"""Judgings compared on a page."""

import pytest
from django.urls import reverse

from runs.jobs.scores.rescoring import rescore
from runs.launch.launching import launch
from runs.results.rescoring import Wanted, ask_rescore
from tests.runs.results.test_rescoring import EVALUATION
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def rescores(author, version, agents):
    """Two re-scores of a run: one as it was scored, one by an evaluation that its answers do not pass."""
    run = work_off(launch(author, version, [agents["echo"]]))
    rows = [ask_rescore(run, author, Wanted(evaluation=text)) for text in ("", EVALUATION)]
    for row in rows:
        rescore(row)
    return rows


def test_the_cases_that_changed_lead_to_both_judgings(as_author, rescores):
    alike, otherwise = rescores
    answer = as_author.get(reverse("runs:rescore-compare", args=[otherwise.pk]), {"show": "regressed"})
    assert [each.row.state for each in answer.context["rows"]] == ["regressed"] * len(answer.context["rows"])
    text = answer.content.decode()
    for each in answer.context["rows"]:
        trial = each.number
        assert f'href="{reverse("runs:trial", args=[trial])}"' in text
        assert f'href="{reverse("runs:rescored-trial", args=[otherwise.pk, trial])}"' in text
    assert "Evaluation" in text
    assert "As scored before" in text


def test_another_re_score_can_be_chosen_and_none_of_another_run(as_author, rescores):
    alike, otherwise = rescores
    address = reverse("runs:rescore-compare", args=[otherwise.pk])
    answer = as_author.get(address, {"with": str(alike.pk)})
    assert f"Re-score {alike.pk}" in answer.content.decode()
    assert as_author.get(address, {"with": str(otherwise.pk)}).status_code == 404
    assert as_author.get(address, {"with": "x"}).status_code == 404
    link = as_author.get(reverse("runs:rescore", args=[otherwise.pk])).content.decode()
    assert f'href="{address}"' in link
