"""The runs of packs, for the pages of packs."""

import pytest

from packs.editing import Change, apply
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.models import Pack
from runs.jobs.proofs import draft_of, prove_rows
from runs.models import Run, RunStatus
from studio.pack_runs import PackRuns
from tests.runs.proof.makers import TIDY, challenge
from tests.runs.studio_packs import pack_text, publish_text

pytestmark = pytest.mark.django_db


def test_the_grid_of_cases_shows_the_proof_of_each_and_narrows_to_a_state(as_author, team, author):
    pack = import_pack(team, author, challenge({"says": TIDY}, ["Leeds", "York"], asked="Answer exactly."), "planted")
    rows = f"/packs/default/planted/edit/sets/{pack.input_sets.get().pk}/rows/"
    assert not as_author.get(rows).context["has_proofs"]
    subject = draft_of(pack)
    prove_rows(subject, subject.rows[:1])
    page = as_author.get(rows)
    assert [(line.key, line.proof) for line in page.context["lines"]] == [("case-1", "proven"), ("case-2", "unproven")]
    assert "Proven (1)" in page.content.decode()
    found = as_author.get(rows, {"proof": "unproven", "sort": "-key"})
    assert [line.key for line in found.context["lines"]] == ["case-2"]
    case = pack.cases.get(key="case-1")
    apply(pack, [Change(NodeKind.CASE, case.pk, "/expectations/0/value", "Hull")], author)
    assert [line.key for line in as_author.get(rows, {"proof": "stale"}).context["lines"]] == ["case-1"]


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
