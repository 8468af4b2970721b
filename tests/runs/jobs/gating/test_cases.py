"""What cases are to gates."""

import pytest

from runs.jobs.gating.cases import sets_of, standings_of
from tests.runs.gated import publish_suites

pytestmark = pytest.mark.django_db


def test_cases_of_a_suite_keep_what_their_tasks_say(team, author):
    version = publish_suites(team, author)
    found = {standing.task_id: standing for case, standing in standings_of(version.pk).items() if case}
    assert (found["essay_1"].suite, found["essay_1"].k, found["essay_1"].metric) == ("open_ended", 3, "pass@k")
    assert found["attack_1"].forbidden == {"wire"}
    assert sets_of(version.pk) == ["golden", "open_ended", "adversarial", "failure_replays"]


def test_keys_that_repeat_are_told_apart_by_their_sets(sets_version):
    found = [standing.task_id for case, standing in standings_of(sets_version.pk).items() if case]
    assert found == ["small/locate/case-0000", "large/locate/case-0000", "case-0001"]


def test_a_format_without_fingerprints_is_paired_by_what_was_stored(version):
    prints = [standing.fingerprint for case, standing in standings_of(version.pk).items() if case]
    assert len(set(prints)) == len(prints) == 3
