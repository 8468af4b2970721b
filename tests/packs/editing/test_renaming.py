import pytest

from packs import editing
from packs.editing import Change
from packs.formats.document import NodeKind
from packs.importing import import_pack
from tests.packs.drafts import draft_of, pack_text

CHALLENGE, CASE, ASSET, INPUT_SET = NodeKind.CHALLENGE, NodeKind.CASE, NodeKind.ASSET, NodeKind.INPUT_SET
FEES = "evals/_shared/fixtures/fees"
TASK = """\
task_id: {key}
suite: golden
description: Round the fees.
inputs:
  repo_path: ../_shared/fixtures/fees
  issue_statement: Fees are wrong.
graders:
- type: string_match
  patterns: ["done"]
"""
TESTS = """\
tests:
- {id: first, criteria: Greets, input: Hi}
- {id: second, criteria: Greets, input: Hi, depends_on: [first]}
"""


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def suites(team, author):
    files = {f"evals/golden/{key}.yaml": TASK.format(key=key).encode() for key in ("round_1", "round_2")}
    return import_pack(team, author, {**files, f"{FEES}/fees.sh": b"x", f"{FEES}/tests/run.sh": b"y"}, "suites")


def rename(draft, row, key, author, pointer="/key"):
    return editing.apply(draft, [Change(row.kind, row.pk, pointer, key)], author)


def second(draft, author, key="second"):
    """Another challenge, with a case of its own."""
    document = draft.challenges.first().document
    row = draft.challenges.get(pk=editing.add_node(draft, CHALLENGE, author, document=document | {"key": key}).node)
    case = draft.cases.last()
    editing.apply(draft, [Change(CASE, case.pk, "/challenge_key", key)], author)
    return row


def keys(draft):
    return list(draft.cases.order_by("position").values_list("challenge_key", flat=True))


def moved(draft, author, old, new):
    rename(draft, draft.assets.get(key=old), new, author, "/path")
    return {case.document["inputs"]["repo_path"] for case in draft.cases.all()}


def test_the_cases_of_a_challenge_follow_its_new_key_and_the_edit_says_so(draft, author):
    applied = rename(draft, draft.challenges.get(), "find", author)
    assert set(keys(draft)) == {"find"}
    assert applied.errors == 0
    assert list(map(str, applied.renamed)) == ["Renamed locate to find. 3 places in 3 cases were updated."]
    editing.undo(draft, author)
    assert draft.challenges.get().key == "locate"
    assert set(keys(draft)) == {"locate"}


def test_everything_that_names_an_asset_follows_its_new_key(draft, author):
    asset = editing.add_node(draft, ASSET, author, document={"key": "map", "path": "map.txt"}).node
    case, challenge = draft.cases.first(), draft.challenges.get()
    changes = [
        Change(CASE, case.pk, "/artifacts", [{"key": "map"}]),
        Change(CASE, case.pk, "/inputs/0/artifact_key", "map"),
        Change(CASE, case.pk, "/expectations/0/source", "artifact: map"),
        Change(CHALLENGE, challenge.pk, "/artifact_refs", [{"key": "map"}]),
        Change(NodeKind.PACK, draft.pk, "/version/evaluation_spec/validators/0/expected_from", "artifact.map.path"),
        Change(CASE, case.pk, "/payload", {"map": "map"}),
    ]
    assert editing.apply(draft, changes, author).errors == 0
    applied = rename(draft, draft.assets.get(pk=asset), "plan", author)
    document = draft.cases.get(pk=case.pk).document
    assert applied.errors == 0
    assert document["artifacts"] == [{"key": "plan"}]
    assert document["inputs"][0]["artifact_key"] == "plan"
    assert document["expectations"][0]["source"] == "artifact: plan"
    assert document["payload"] == {"map": "map"}
    assert draft.challenges.get().document["artifact_refs"] == [{"key": "plan"}]
    assert draft.document["version"]["evaluation_spec"]["validators"][0]["expected_from"] == "artifact.plan.path"
    [told] = applied.renamed
    assert str(told) == "Renamed map to plan. 5 places in the pack, 1 challenge and 1 case were updated."


@pytest.mark.parametrize("between", ["", "  ", "second", editing.ABSENT])
def test_references_wait_while_a_key_is_cleared_or_that_of_a_sibling(draft, author, between):
    first = draft.challenges.get()
    second(draft, author)
    rename(draft, first, between, author)
    assert keys(draft) == ["locate", "locate", "second"]
    applied = rename(draft, first, "find", author)
    assert keys(draft) == ["find", "find", "second"]
    assert [told.names for told in applied.renamed] == [[("locate", "find")]]


def test_two_challenges_change_keys_one_after_the_other_by_way_of_a_shared_one(draft, author):
    first, other = draft.challenges.get(), second(draft, author)
    rename(draft, first, "second", author)
    rename(draft, other, "locate", author)
    assert keys(draft) == ["second", "second", "locate"]


def test_two_challenges_change_keys_at_once(draft, author):
    first, other = draft.challenges.get(), second(draft, author)
    changes = [Change(CHALLENGE, first.pk, "/key", "second"), Change(CHALLENGE, other.pk, "/key", "locate")]
    editing.apply(draft, changes, author)
    assert keys(draft) == ["second", "second", "locate"]


def test_a_cleared_key_that_another_challenge_has_taken_leads_nothing_away(draft, author):
    first, other = draft.challenges.get(), second(draft, author)
    rename(draft, first, "", author)
    rename(draft, other, "locate", author)
    rename(draft, first, "find", author)
    assert set(keys(draft)) == {"locate"}


def test_an_undone_rename_is_no_earlier_key(draft, author):
    first = draft.challenges.get()
    rename(draft, first, "find", author)
    editing.undo(draft, author)
    rename(draft, first, "", author)
    rename(draft, first, "seek", author)
    assert set(keys(draft)) == {"seek"}


def test_the_second_bearer_of_a_key_takes_no_references_away(draft, author):
    copy = editing.add_node(
        draft, CHALLENGE, author, document=draft.challenges.get().document | {"title": "Second"}
    ).node
    rename(draft, draft.challenges.get(pk=copy), "other", author)
    assert set(keys(draft)) == {"locate"}
    assert draft.problem_errors == 0


@pytest.mark.parametrize("key", ["", "  ", "second", 7])
def test_references_stay_where_the_new_key_is_no_key_of_its_own(draft, author, key):
    first = draft.challenges.get()
    editing.add_node(draft, CHALLENGE, author, document=first.document | {"key": "second"})
    assert rename(draft, first, key, author).renamed == []
    assert set(keys(draft)) == {"locate"}


def test_a_whole_document_with_another_key_is_followed_too(draft, author):
    first = draft.challenges.get()
    editing.apply(draft, [Change(CHALLENGE, first.pk, "", first.document | {"key": "find"})], author)
    assert set(keys(draft)) == {"find"}


def test_what_the_same_edits_state_elsewhere_stays(draft, author):
    first, case = draft.challenges.get(), draft.cases.first()
    second(draft, author)
    changes = [Change(CHALLENGE, first.pk, "/key", "find"), Change(CASE, case.pk, "/challenge_key", "second")]
    editing.apply(draft, changes, author)
    assert keys(draft) == ["second", "find", "second"]


def test_the_repository_of_a_task_follows_when_the_last_file_of_its_folder_moves(suites, author):
    old, new = "../_shared/fixtures/fees", "../_shared/fixtures/charges"
    assert moved(suites, author, f"{FEES}/fees.sh", "evals/_shared/fixtures/charges/fees.sh") == {old}
    assert moved(suites, author, f"{FEES}/tests/run.sh", "evals/_shared/fixtures/charges/tests/run.sh") == {new}


def test_a_file_that_leaves_its_folder_under_another_name_takes_no_folder_along(suites, author):
    editing.remove_node(suites, ASSET, suites.assets.get(key=f"{FEES}/tests/run.sh").pk, author)
    assert moved(suites, author, f"{FEES}/fees.sh", "evals/_shared/old/x.sh") == {"../_shared/fixtures/fees"}


def test_the_tasks_of_a_suite_follow_its_input_set(suites, author):
    rename(suites, suites.input_sets.get(key="golden"), "open_ended", author, "/suite")
    assert set(keys(suites)) == {"open_ended"}


def test_tests_that_depend_on_a_renamed_test_follow_within_their_suite(team, author):
    files = {"a.eval.yaml": TESTS.encode(), "b.eval.yaml": TESTS.encode()}
    draft = import_pack(team, author, files, "tests")
    suite = draft.input_sets.get(key="a.eval.yaml")
    first = suite.cases.get(key="first")
    applied = editing.change_cases(draft, author, [Change(CASE, first.pk, "/id", "one")])
    assert list(map(str, applied.renamed)) == ["Renamed first to one. 1 place in 1 case was updated."]
    found = {(case.input_set.key, case.key): case.document.get("depends_on") for case in draft.cases.all()}
    assert found["a.eval.yaml", "second"] == ["one"]
    assert found["b.eval.yaml", "second"] == ["first"]


def test_many_renamed_nodes_are_told_by_their_number(team, author):
    draft = import_pack(team, author, {"a.eval.yaml": TESTS.encode()}, "tests")
    third = {"id": "third", "criteria": "Greets", "input": "Hi", "depends_on": ["first", "second"]}
    editing.add_node(draft, CASE, author, input_set=draft.input_sets.get().pk, document=third)
    changes = [Change(CASE, case.pk, "/id", f"{case.key}-b") for case in draft.cases.exclude(key="third")]
    [told] = editing.apply(draft, changes, author).renamed
    assert str(told) == "Renamed 2 cases. 3 places in 2 cases were updated."
    assert draft.cases.get(key="third").document["depends_on"] == ["first-b", "second-b"]


def test_a_rename_that_many_follow_is_checked_as_a_whole(team, author):
    draft = draft_of(team, pack_text(250))
    applied = rename(draft, draft.challenges.get(), "find", author)
    assert applied.errors == 0
    assert draft.cases.filter(challenge_key="find").count() == 250
