from datetime import timedelta

import pytest
from django.utils.timezone import now

from runs.models import SharedPage

pytestmark = pytest.mark.django_db


def made(team, **more):
    return SharedPage.objects.create(team=team, subject="run:1", **more)


def test_a_link_is_live_until_it_expires_or_is_taken_back(team, author, administrator):
    lasting, ending, gone = made(team), made(team, expires_at=now() + timedelta(days=1)), made(team)
    over = made(team, expires_at=now() - timedelta(seconds=1))
    gone.take_back(author)
    gone.take_back(administrator)
    assert set(SharedPage.objects.live()) == {lasting, ending}
    assert [link.state for link in (lasting, ending, gone, over)] == ["live", "live", "taken back", "expired"]
    assert gone.ended_by == author
    assert len({link.token for link in SharedPage.objects.all()}) == 4
