import pytest
from django.urls import reverse

from runs.models import Trial
from tests.runs.noise import noisy_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(team, author, version):
    return noisy_run(team, author, version)


def page(client, run):
    return client.get(reverse("runs:charts", args=[run.pk]))


def test_each_chart_stands_with_its_table_and_exact_values(as_author, run):
    answer = page(as_author, run)
    text = answer.content.decode()
    rates = next(drawn.chart for drawn in answer.context["charts"] if drawn.chart.key == "pass-rates")
    assert all(f'data-value="{row[1]}"' in text for row in rates.rows)
    assert text.count("<figure") == len(answer.context["charts"]) == 6
    assert 'data-chart="intervals"' in text


def test_it_says_of_how_many_trials_the_charts_are(as_author, run):
    judged = Trial.objects.filter(run=run, status__in=("passed", "failed")).count()
    assert f"Only {judged} of 36 trials are judged" in page(as_author, run).content.decode()


def test_a_run_that_has_not_begun_says_so(as_author, run):
    Trial.objects.filter(run=run).update(status="queued", score=None)
    assert "Nothing to draw yet" in page(as_author, run).content.decode()


def test_a_stranger_finds_no_charts(as_stranger, run):
    assert page(as_stranger, run).status_code == 404
