"""Runs compared by the API."""

import pytest

from runs.launch.launching import launch
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db
URL = "/api/v1/runs/compare/"


@pytest.fixture
def runs(author, version, agents):
    """The second passes one case less."""
    found = [work_off(launch(author, version, [agents["reference"]])) for _ in range(2)]
    found[1].trials.filter(case_position=1).update(status="failed", score=0.25)
    return found


def asked(client, runs, **query):
    return client.get(URL, {"ids": ",".join(str(run.pk) for run in runs), **query})


def test_a_pipeline_reads_what_regressed(as_author, runs):
    told = asked(as_author, runs, show="regressed").json()
    (row,) = told["results"]
    assert (row["case_key"], row["state"], row["changes"]) == ("case-0001", "regressed", [None, "regressed"])
    assert [cell["verdict"] for cell in row["cells"]] == ["pass", "fail"]
    assert row["cells"][1]["trial"] == runs[1].trials.get(case_position=1).pk
    assert told["counts"] == {"regressed": 1, "same": 2}


def test_columns_tell_rates_and_what_the_difference_is_worth(as_author, runs):
    base, other = asked(as_author, runs).json()["columns"]
    assert (base["is_base"], base["against_base"], base["pass_rate"]) == (True, None, 1.0)
    assert (other["against_base"]["says"], other["against_base"]["n"]) == ("too_few", 3)
    turned = asked(as_author, runs, base=runs[1].pk).json()["columns"]
    assert [column["is_base"] for column in turned] == [False, True]


def test_rows_come_in_pages(as_author, runs):
    page = asked(as_author, runs, limit=2, sort="key").json()
    rest = as_author.get(page["next"]).json()
    assert [row["case_key"] for row in [*page["results"], *rest["results"]]] == ["case-0000", "case-0001", "case-0002"]
    assert (page["previous"], rest["next"]) == (None, None)
    assert as_author.get(rest["previous"]).json()["results"] == page["results"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"ids": ""}, "invalid_ids"),
        ({"ids": "a"}, "invalid_ids"),
        ({"ids": "1,2,3,4,5,6,7"}, "too_many_runs"),
    ],
)
def test_what_names_no_runs_is_refused_with_a_reason(as_author, query, code):
    answer = as_author.get(URL, query)
    assert (answer.status_code, answer.json()["findings"][0]["code"]) == (400, code)


@pytest.mark.parametrize("query", [{"show": "worse"}, {"sort": "colour"}, {"limit": "x"}, {"cursor": "x"}])
def test_words_that_mean_nothing_are_refused(as_author, runs, query):
    assert asked(as_author, runs, **query).status_code == 400


def test_runs_out_of_sight_are_not_found(as_author, as_stranger, runs):
    assert asked(as_stranger, runs).status_code == 404
    assert as_author.get(URL, {"ids": f"{runs[0].pk},999999"}).status_code == 404
