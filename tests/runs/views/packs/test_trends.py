import pytest
from django.urls import reverse

from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(team, author, version):
    run_with(team, author, version, {"old": ["p", "f", "e"], "new": ["p", "p", "p"]}, cost_usd=0.5)
    run_with(team, author, version, {"old": ["f", "p", "p"], "new": ["p", "p", "p"]}, cost_usd=0.5)
    return reverse("runs:trends", args=[team.slug, version.pack.slug])


def test_each_chart_stands_with_its_table(as_author, address):
    answer = as_author.get(address)
    assert [drawn.chart.key for drawn in answer.context["charts"]] == ["pass-rate-over-time", "cost-over-time"]
    text = answer.content.decode()
    assert text.count('data-chart="trend"') == 2
    assert 'data-value="0.5"' in text
    assert "1 of 4 results rest on fewer trials" in text


def test_the_changed_cases_of_the_agent_are_listed(as_author, address):
    answer = as_author.get(address, {"agent": "old"})
    assert [(title, count) for title, _, count, _ in answer.context["lists"]] == [
        ("Passed before, fail now", 1),
        ("Failed before, pass now", 1),
    ]
    assert "case-0001" in answer.content.decode()


def test_only_curators_are_offered_badges(as_author, as_administrator, address):
    assert "Make a badge" not in as_author.get(address).content.decode()
    assert "Make a badge" in as_administrator.get(address).content.decode()
