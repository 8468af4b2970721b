import pytest
from django.urls import reverse

from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(team, author, version):
    ends = {"strong": ["pp", "pp", "ff"], "middle": ["pp", "pf", "ff"], "weak": ["pp", "ff", "ff"]}
    run_with(team, author, version, ends)
    return reverse("runs:items", args=[team.slug, version.pack.slug])


def test_each_case_is_in_the_table_of_the_chart(as_author, address):
    answer = as_author.get(address)
    assert [drawn.chart.key for drawn in answer.context["charts"]] == ["items", "gaps"]
    assert [row[0] for row in answer.context["charts"][0].chart.rows] == ["case-0000", "case-0001", "case-0002"]
    text = answer.content.decode()
    assert "1 of 9 cells (one case by one agent) are flaky." in text
    assert "The smallest set that was found has 1 case. It ranks" in text
    assert "This set saturates" not in text


@pytest.mark.parametrize(
    ("show", "keys"), [("never", ["case-0002"]), ("always", ["case-0000"]), ("flaky", ["case-0001"])]
)
def test_it_narrows_to_a_kind(as_author, address, show, keys):
    chart = as_author.get(address, {"show": show}).context["charts"][0].chart
    assert [row[0] for row in chart.rows] == keys


def test_a_set_that_the_best_agent_passes_is_said_to_saturate(as_author, team, author, version, address):
    run_with(team, author, version, {"best": ["pp", "pp", "pp"]})
    assert "This set saturates" in as_author.get(address).content.decode()
