"""What people say of trials, and what workers count, at the same moment, on both databases."""

import pytest

from tests.services import Studio, postgres, postgres_binaries

pytestmark = pytest.mark.services


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def studio(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("studio")
    if request.param == "sqlite":
        yield Studio(folder)
        return
    if postgres_binaries() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres() as server:
        yield Studio(folder, DATABASE_URL=server.address)


def test_of_two_last_reviews_each_counts_and_the_trial_is_judged_once(studio):
    found = studio.scene("review_at_once", 2)
    assert found["last"] == [[False, True]] * 5
    assert found["opinions"] == [[0.25, 1.0]] * 5
    assert found["events"] == [1] * 5
    assert found["grades"] == [0.625] * 5
    assert (found["counts"], found["waiting"]) == ({"failed": 5}, 0)


def test_of_two_people_where_one_is_needed_one_is_told_that_it_is_settled(studio):
    found = studio.scene("review_at_once", 1)
    assert found["last"] == [[True, "review_closed"]] * 5
    assert found["events"] == [1] * 5
    assert found["waiting"] == 0


def test_graders_that_are_overruled_at_the_same_moment_are_all_counted(studio):
    found = studio.scene("overrule_at_once")
    assert found == {"counts": {"failed": 1, "passed": 4}, "rate": 0.8, "passed": 4}


def test_cases_that_several_workers_count_while_trials_end_are_all_counted(studio):
    assert studio.scene("count_at_once") == {"passed": 120, "left": 0}
