"""Rows of rankings."""

import pytest
from django.db import IntegrityError, transaction

from runs.launch.launching import launch
from runs.models import Ranking


def test_a_case_and_number_of_a_run_is_ranked_once(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    Ranking.objects.create(run=run, case_position=1, number=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        Ranking.objects.create(run=run, case_position=1, number=2)


def test_only_members_of_the_team_see_rankings(author, stranger, version, agents):
    run = launch(author, version, [agents["echo"]])
    Ranking.objects.create(run=run)
    assert Ranking.objects.visible_to(author).count() == 1
    assert Ranking.objects.visible_to(stranger).count() == 0
