"""The cases of a run."""

import pytest

from runs.launch.launching import launch
from runs.results.layout import layout_of, packed
from tests.runs.studio_packs import pack_text, publish_text

pytestmark = pytest.mark.django_db


def test_cases_without_trials_are_no_part_of_a_run(author, team, agents):
    run = launch(author, publish_text(team, author, pack_text({"default": 4})), [agents["echo"], agents["empty"]])
    run.trials.filter(case_position=1).delete()
    assert list(layout_of(run).positions) == [0, 2, 3]


def test_numbers_are_kept_in_their_order():
    assert list(packed([0, 1, 2])) == [0, 1, 2]
    assert list(packed([2, 0, 5])) == [2, 0, 5]
    assert list(packed([])) == []
