import xml.etree.ElementTree as ElementTree

import pytest

from packs.models import Team
from runs.models import Badge, Run, StoredProof, Trial
from runs.results.badges import badge_svg, proof_svg, trend_of_badge, trend_svg
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def badge(team, author, version):
    run_with(team, author, version, {"<bot> & co": ["p", "f", "e"], "other": ["p", "p", "p"]})
    return Badge.objects.create(pack=version.pack, agent="<bot> & co", input_set="default")


def title_of(svg):
    return ElementTree.fromstring(svg).get("aria-label")


def test_it_states_the_rate_of_its_agent_and_how_much_is_judged(badge):
    drawn = badge_svg(badge, trend_of_badge(badge))
    assert title_of(drawn) == "Parcels · <bot> & co: 50 % passed (67 % judged)"
    assert "over 1 run" in title_of(trend_svg(badge, trend_of_badge(badge)))


def test_it_says_that_there_are_no_results(badge):
    Trial.objects.all().update(status="queued")
    assert title_of(badge_svg(badge, trend_of_badge(badge))).endswith("no results")
    ElementTree.fromstring(trend_svg(badge, trend_of_badge(badge)))


def test_runs_of_other_teams_are_not_shown(badge):
    Run.objects.update(team=Team.objects.create(slug="elsewhere", name="Elsewhere"))
    assert not trend_of_badge(badge).points


def test_it_says_how_many_cases_of_the_newest_version_are_proven(badge):
    version = badge.pack.versions.get()
    total = version.cases.count()
    assert title_of(proof_svg(badge)) == f"Parcels: 0 of {total} cases proven"
    proof = {"digest": "x", "state": "proven", "strength": 1.0, "revision": 1, "document": {}}
    StoredProof.objects.create(pack=badge.pack, version=version, node=version.cases.first().pk, **proof)
    assert title_of(proof_svg(badge)) == f"Parcels: 1 of {total} cases proven"
    of_set = version.cases.filter(input_set__key="default").count()
    assert title_of(proof_svg(badge, "default")) == f"Parcels · default: 1 of {of_set} cases proven"
    assert title_of(proof_svg(badge, "other")) == "Parcels · other: 0 of 0 cases proven"
