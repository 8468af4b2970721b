import random

import pytest

from packs import editing
from packs.editing import Change
from packs.editing.rechecking import MANY
from packs.formats import adapter_of
from packs.formats.document import NodeKind
from packs.mirror import MODELS
from packs.models import Case, Pack
from tests.packs.drafts import draft_of, pack_text, random_edit

CASE = NodeKind.CASE
WIDE = adapter_of("challenge_pack").PACK_WIDE


def local_findings(draft):
    """What is stored for every node, without the findings that only a check of the whole pack gives."""
    rows = [row for kind in NodeKind for row in MODELS[kind].objects.all().filter(**owner(kind, draft))]
    return {(row.kind, row.pk): [item for item in row.findings if item["code"] not in WIDE] for row in rows}


def owner(kind, draft):
    return {"pk": draft.pk} if kind is NodeKind.PACK else {"pack": draft}


def totals(draft):
    rows = [row for kind in NodeKind for row in MODELS[kind].objects.filter(**owner(kind, draft))]
    return sum(row.error_count for row in rows), sum(row.warning_count for row in rows)


@pytest.mark.parametrize("seed", range(10))
def test_checking_what_an_edit_touched_finds_what_a_whole_check_finds(team, author, seed):
    draft = draft_of(team)
    chance = random.Random(seed)
    for number in range(15):
        random_edit(draft, author, chance, number)
        found = local_findings(draft)
        draft.refresh_from_db()
        assert (draft.problem_errors, draft.problem_warnings) == totals(draft)
        editing.recheck(draft)
        assert local_findings(draft) == found


@pytest.mark.parametrize("pointer", ["/version/execution_mode", "/version/number", "/pack/family", "/security"])
@pytest.mark.parametrize("value", ["multi_turn", 3])
def test_edits_of_the_pack_reach_the_nodes_that_depend_on_it(team, author, pointer, value):
    draft = draft_of(team)
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, pointer, value)], author)
    found = local_findings(draft)
    editing.recheck(draft)
    assert local_findings(draft) == found


def test_an_edit_of_an_asset_reaches_the_nodes_that_refer_to_it(team, author):
    draft = draft_of(team)
    asset = editing.add_node(draft, NodeKind.ASSET, author, document={"key": "map", "path": "map.txt"}).node
    case = draft.cases.first()
    editing.apply(draft, [Change(CASE, case.pk, "/inputs/0/artifact_key", "map")], author)
    assert draft.problem_errors == 0
    editing.remove_node(draft, NodeKind.ASSET, asset, author)
    assert Case.objects.get(pk=case.pk).error_count == 1


def test_findings_about_the_whole_pack_stay_until_the_next_whole_check(team, author):
    text = pack_text().replace(b"input_sets:", b"  - {key: idle, title: T, category: c, difficulty: easy}\ninput_sets:")
    draft = draft_of(team, text)
    idle = draft.challenges.get(key="idle")
    before = [item["code"] for item in idle.findings]
    assert set(before) & WIDE
    editing.apply(draft, [Change(NodeKind.CHALLENGE, idle.pk, "/title", "Other")], author)
    idle.refresh_from_db()
    assert [item["code"] for item in idle.findings] == before
    assert draft.checked_revision < draft.revision
    editing.recheck_if_stale(draft)
    assert draft.checked_revision == draft.revision


def edit_queries(django_assert_max_num_queries, team, author, size, pointer):
    draft = draft_of(team, pack_text(size), slug=f"pack-{size}")
    case = draft.cases.order_by("position")[size // 2]
    with django_assert_max_num_queries(40) as captured:
        editing.apply(draft, [Change(CASE, case.pk, pointer, "changed")], author, draft.revision)
    return len(captured)


@pytest.mark.parametrize("pointer", ["/inputs/0/value", "/case_key"])
def test_a_live_check_asks_as_little_in_a_large_pack_as_in_a_small_one(
    django_assert_max_num_queries, team, author, pointer
):
    small = edit_queries(django_assert_max_num_queries, team, author, 5, pointer)
    large = edit_queries(django_assert_max_num_queries, team, author, 600, pointer)
    assert small == large


def test_many_edits_at_once_are_checked_together(team, author):
    draft = draft_of(team, pack_text(MANY + 1))
    changes = [Change(CASE, case.pk, "/challenge_key", "nowhere") for case in draft.cases.all()]
    applied = editing.apply(draft, changes, author)
    assert applied.errors == MANY + 1
    assert all(found for found in applied.findings.values())
    editing.undo(draft, author)
    assert Pack.objects.get(pk=draft.pk).problem_errors == 0
