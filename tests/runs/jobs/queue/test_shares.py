"""How jobs divide a run's concurrency among themselves."""

from datetime import timedelta

import pytest
from django.utils import timezone

from runs.jobs.queue.leases import new_mark
from runs.jobs.queue.shares import drop_share, release_shares, take_share
from runs.launch.launching import launch
from runs.models import Run, Share

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    Run.objects.filter(pk=run.pk).update(concurrency=5)
    return run


def test_all_shares_together_never_exceed_the_concurrency_of_a_run(run):
    assert [take_share(run, 3, new_mark()) for _ in range(3)] == [3, 2, 0]


def test_a_share_grows_where_there_is_room_and_never_shrinks(run):
    first, second = new_mark(), new_mark()
    assert take_share(run, 2, first) == 2
    assert take_share(run, 2, second) == 2
    assert take_share(run, 4, first) == 3
    assert take_share(run, 1, first) == 3


def test_what_a_job_leaves_and_what_a_dead_one_held_is_free_again(run):
    mark = new_mark()
    take_share(run, 5, mark)
    drop_share(run, mark)
    host = mark.partition("|")[0]
    assert take_share(run, 5, f"{host}|4194999|x") == 5
    release_shares()
    assert not Share.objects.exists()
    assert take_share(run, 5, "elsewhere|1|x") == 5
    Share.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert take_share(run, 5, mark) == 5
    release_shares()
    assert list(Share.objects.values_list("lease", flat=True)) == [mark]
