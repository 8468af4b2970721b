import pytest

from packs import editing
from packs.editing import Change
from packs.formats.document import NodeKind
from tests.packs.drafts import draft_of


@pytest.fixture
def draft(team):
    return draft_of(team)


def rename(draft, kind, node, key, author):
    return editing.apply(draft, editing.with_references(draft, [Change(kind, node, "/key", key)]), author)


def test_the_cases_of_a_challenge_follow_its_new_key(draft, author):
    challenge = draft.challenges.get()
    applied = rename(draft, NodeKind.CHALLENGE, challenge.pk, "find", author)
    assert set(draft.cases.values_list("challenge_key", flat=True)) == {"find"}
    assert applied.errors == 0
    editing.undo(draft, author)
    assert draft.challenges.get().key == "locate"
    assert set(draft.cases.values_list("challenge_key", flat=True)) == {"locate"}


def test_everything_that_names_an_asset_follows_its_new_key(draft, author):
    asset = editing.add_node(draft, NodeKind.ASSET, author, document={"key": "map", "path": "map.txt"}).node
    case, challenge = draft.cases.first(), draft.challenges.get()
    changes = [
        Change(NodeKind.CASE, case.pk, "/artifacts", [{"key": "map"}]),
        Change(NodeKind.CASE, case.pk, "/inputs/0/artifact_key", "map"),
        Change(NodeKind.CASE, case.pk, "/expectations/0/source", "artifact: map"),
        Change(NodeKind.CHALLENGE, challenge.pk, "/artifact_refs", [{"key": "map"}]),
        Change(NodeKind.PACK, draft.pk, "/version/evaluation_spec/validators/0/expected_from", "artifact.map.path"),
        Change(NodeKind.CASE, case.pk, "/payload", {"map": "map"}),
    ]
    assert editing.apply(draft, changes, author).errors == 0
    applied = rename(draft, NodeKind.ASSET, asset, "plan", author)
    document = draft.cases.get(pk=case.pk).document
    assert applied.errors == 0
    assert document["artifacts"] == [{"key": "plan"}]
    assert document["inputs"][0]["artifact_key"] == "plan"
    assert document["expectations"][0]["source"] == "artifact:plan"
    assert document["payload"] == {"map": "map"}
    assert draft.challenges.get().document["artifact_refs"] == [{"key": "plan"}]
    assert draft.document["version"]["evaluation_spec"]["validators"][0]["expected_from"] == "artifact.plan.path"


def test_the_second_bearer_of_a_key_takes_no_references_away(draft, author):
    copy = editing.add_node(
        draft, NodeKind.CHALLENGE, author, document=draft.challenges.get().document | {"title": "Second"}
    ).node
    rename(draft, NodeKind.CHALLENGE, copy, "other", author)
    assert set(draft.cases.values_list("challenge_key", flat=True)) == {"locate"}
    assert draft.problem_errors == 0


@pytest.mark.parametrize("key", ["", "  ", "second", 7])
def test_references_stay_where_the_new_key_is_no_key_of_its_own(draft, author, key):
    first = draft.challenges.get()
    editing.add_node(draft, NodeKind.CHALLENGE, author, document=first.document | {"key": "second"})
    rename(draft, NodeKind.CHALLENGE, first.pk, key, author)
    assert set(draft.cases.values_list("challenge_key", flat=True)) == {"locate"}
