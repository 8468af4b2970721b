"""The runs of packs, for the pages of packs."""

import pytest

from packs.models import Pack
from runs.models import Run, RunStatus
from studio.pack_runs import PackRuns
from tests.runs.studio_packs import pack_text, publish_text

pytestmark = pytest.mark.django_db


def started(version, name, passed):
    run = Run(team=version.pack.team, version=version, name=name, status=RunStatus.COMPLETED, trial_count=4)
    run.counts = {"passed": passed, "failed": 4 - passed}
    run.save()
    return run


def test_the_newest_runs_of_packs_are_found_over_all_their_versions(team, author, django_assert_max_num_queries):
    first = publish_text(team, author, pack_text({"default": 1}))
    other = publish_text(team, author, pack_text({"default": 1}, slug="letters"), slug="letters")
    started(first, "old", 1)
    new = started(first, "new", 3)
    with django_assert_max_num_queries(2):
        newest = PackRuns().newest([first.pack_id, other.pack_id])
    assert {pack: run["id"] for pack, run in newest.items()} == {first.pack_id: new.pk}
    latest = PackRuns().latest(first.pack_id, 5)
    assert [(run["name"], run["of_version"], run["of_set"]) for run in latest] == [("new", 1, None), ("old", 1, None)]
    rows = Pack.objects.annotate(share=PackRuns().last_share(), moment=PackRuns().last_moment())
    assert dict(rows.values_list("slug", "share")) == {"parcels": 0.75, "letters": None}
    assert rows.get(slug="parcels").moment == new.created_at
