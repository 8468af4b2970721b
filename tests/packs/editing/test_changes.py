import pytest

from packs import editing
from packs.editing import ABSENT, Change, EditRefused
from packs.editing.rechecking import store_all
from packs.formats import adapter_of
from packs.formats.document import Address, NodeKind
from packs.formats.findings import Finding, Severity
from packs.mirror import stored
from packs.models import Case, Edit, Pack
from tests.packs.drafts import draft_of

CASE = NodeKind.CASE


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def case(draft):
    return draft.cases.order_by("position").first()


def change(case, pointer, value=ABSENT, **more):
    return Change(CASE, case.pk, pointer, value, **more)


def test_a_changed_value_is_saved_with_its_edit(draft, case, author):
    applied = editing.apply(draft, [change(case, "/inputs/0/value", "Where?")], author, label="Typed")
    case.refresh_from_db()
    edit = Edit.objects.get(group=applied.group)
    assert case.document["inputs"][0]["value"] == "Where?"
    assert (edit.pointer, edit.old, edit.new) == ("/inputs/0/value", ["Where is parcel case-0?"], ["Where?"])
    assert (edit.author, edit.label, edit.revision) == (author, "Typed", applied.revision)
    assert draft.revision == applied.revision == 2


def test_a_change_that_changes_nothing_leaves_no_trace(draft, case, author):
    applied = editing.apply(draft, [change(case, "/case_key", "case-0")], author)
    assert not applied.is_written
    assert draft.revision == 1
    assert not Edit.objects.exists()


@pytest.mark.parametrize(("old", "new"), [(1, True), (1, 1.0), (0, False), ("1", 1), (None, "")])
def test_values_that_python_takes_for_equal_are_told_apart(draft, case, author, old, new):
    editing.apply(draft, [change(case, "/payload", {"x": old})], author)
    editing.apply(draft, [change(case, "/payload/x", new)], author)
    case.refresh_from_db()
    assert type(case.document["payload"]["x"]) is type(new)


def test_a_broken_draft_is_saved_and_its_problems_are_counted(draft, case, author):
    applied = editing.apply(draft, [change(case, "/challenge_key", "nowhere")], author)
    case.refresh_from_db()
    draft.refresh_from_db()
    assert {finding.rule for finding in applied.findings[CASE, case.pk]} >= {"K2"}
    assert case.error_count > 0
    assert applied.errors == draft.problem_errors > 0


def test_mending_the_draft_takes_its_problems_away(draft, case, author):
    editing.apply(draft, [change(case, "/challenge_key", "nowhere")], author)
    applied = editing.apply(draft, [change(case, "/challenge_key", "locate")], author)
    assert applied.errors == 0
    assert not Case.objects.filter(error_count__gt=0).exists()


def test_changes_of_different_fields_merge(draft, case, author, administrator):
    seen = draft.revision
    editing.apply(draft, [change(case, "/inputs/0/value", "A")], author, seen)
    second = editing.apply(draft, [change(case, "/inputs/0/kind", "json")], administrator, seen)
    case.refresh_from_db()
    assert not second.conflicts
    assert case.document["inputs"][0] == {"key": "prompt", "kind": "json", "value": "A"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("/inputs/0/value", "/inputs/0/value"),
        ("/inputs/0", "/inputs/0/value"),
        ("/inputs/0/value", "/inputs"),
        ("/inputs/0/value", ""),
    ],
)
def test_the_same_place_twice_gives_both_values_and_writes_nothing(draft, case, author, administrator, first, second):
    seen = draft.revision
    editing.apply(draft, [change(case, first, {"key": "theirs"})], author, seen)
    case.refresh_from_db()
    applied = editing.apply(draft, [change(case, second, {"key": "mine"})], administrator, seen)
    (conflict,) = applied.conflicts
    after = Case.objects.get(pk=case.pk)
    assert after.document == case.document
    assert conflict.yours == {"key": "mine"}
    assert conflict.author == author.username
    assert not applied.is_written


def test_other_changes_are_written_beside_a_conflict(draft, case, author, administrator):
    seen = draft.revision
    editing.apply(draft, [change(case, "/inputs/0/value", "theirs")], author, seen)
    mine = [change(case, "/inputs/0/value", "mine"), change(case, "/inputs/0/kind", "json")]
    applied = editing.apply(draft, mine, administrator, seen)
    case.refresh_from_db()
    assert [conflict.theirs for conflict in applied.conflicts] == ["theirs"]
    assert case.document["inputs"][0] == {"key": "prompt", "kind": "json", "value": "theirs"}


def test_the_same_value_from_both_is_no_conflict(draft, case, author, administrator):
    seen = draft.revision
    editing.apply(draft, [change(case, "/inputs/0/value", "same")], author, seen)
    assert not editing.apply(draft, [change(case, "/inputs/0/value", "same")], administrator, seen).conflicts


def test_an_element_put_in_front_does_not_lead_a_change_to_its_neighbour(draft, case, author, administrator):
    seen = draft.revision
    editing.apply(draft, [change(case, "/inputs/0", {"key": "first"}, insert=True)], author, seen)
    applied = editing.apply(draft, [change(case, "/inputs/0/value", "mine")], administrator, seen)
    assert applied.conflicts
    case.refresh_from_db()
    assert case.document["inputs"][0] == {"key": "first"}


def test_an_element_that_moved_up_is_not_taken_for_removed(draft, case, author, administrator):
    editing.apply(draft, [change(case, "/inputs/-", {"key": "last"})], author)
    seen = draft.revision
    editing.apply(draft, [change(case, "/inputs/0")], administrator, seen)
    applied = editing.apply(draft, [change(case, "/inputs/1")], author, seen)
    assert [conflict.pointer for conflict in applied.conflicts] == ["/inputs/1"]
    case.refresh_from_db()
    assert case.document["inputs"] == [{"key": "last"}]


def test_an_element_that_both_removed_is_no_conflict(draft, case, author, administrator):
    editing.apply(draft, [change(case, "/inputs/-", {"key": "last"})], author)
    seen = draft.revision
    for user in (administrator, author):
        assert not editing.apply(draft, [change(case, "/inputs/1")], user, seen).conflicts


def test_a_removed_node_is_a_conflict_for_who_still_edits_it(draft, case, author, administrator):
    seen = draft.revision
    editing.remove_node(draft, CASE, case.pk, author)
    applied = editing.apply(draft, [change(case, "/case_key", "mine")], administrator, seen)
    assert [conflict.theirs for conflict in applied.conflicts] == [ABSENT]


def test_elements_are_appended_inserted_and_removed(draft, case, author):
    editing.apply(draft, [change(case, "/inputs/-", {"key": "last"})], author)
    editing.apply(draft, [change(case, "/inputs/0", {"key": "first"}, insert=True)], author)
    editing.apply(draft, [change(case, "/inputs/1")], author)
    case.refresh_from_db()
    assert [item["key"] for item in case.document["inputs"]] == ["first", "last"]


@pytest.mark.parametrize(
    ("pointer", "value", "code"),
    [
        ("inputs", 1, "bad_pointer"),
        ("/inputs/7", 1, "bad_pointer"),
        ("/inputs/00", 1, "bad_pointer"),
        ("/none/deeper", 1, "bad_pointer"),
        ("/case_key/deeper", 1, "bad_pointer"),
        ("", ["no mapping"], "not_a_document"),
        ("", ABSENT, "not_a_document"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused_and_nothing_is_written(draft, case, author, pointer, value, code):
    good = change(case, "/case_key", "other")
    with pytest.raises(EditRefused) as refused:
        editing.apply(draft, [good, change(case, pointer, value)], author)
    case.refresh_from_db()
    assert refused.value.code == code
    assert case.document["case_key"] == "case-0"


def test_a_node_of_another_draft_is_refused(draft, author, other_team):
    foreign = draft_of(other_team).cases.first()
    with pytest.raises(EditRefused) as refused:
        editing.apply(draft, [change(foreign, "/case_key", "mine")], author)
    assert refused.value.code == "no_such_node"


def test_a_whole_document_is_written_as_the_smallest_edits(draft, case, author):
    document = case.document | {
        "payload": {"b": 1},
        "inputs": [{"key": "new", "kind": "text"}, *case.document["inputs"]],
    }
    editing.replace_document(draft, CASE, case.pk, document, author)
    case.refresh_from_db()
    assert case.document == document
    assert set(Edit.objects.values_list("pointer", flat=True)) == {"/payload", "/inputs/0"}


def test_two_lenses_on_one_document_keep_each_others_fields(draft, case, author, administrator):
    seen, start = draft.revision, case.document
    editing.replace_document(draft, CASE, case.pk, start | {"payload": {"a": 1}}, author, seen, seen_document=start)
    mine = start | {"case_timeout_seconds": 5}
    applied = editing.replace_document(draft, CASE, case.pk, mine, administrator, seen, seen_document=start)
    case.refresh_from_db()
    assert not applied.conflicts
    assert (case.document["payload"], case.document["case_timeout_seconds"]) == ({"a": 1}, 5)


def test_a_new_title_shows_in_the_row(draft, author):
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", "Letters")], author)
    draft.refresh_from_db()
    assert draft.title == "Letters"


def test_a_number_beyond_64_bits_is_stored_as_far_as_it_can_be_and_said_at_its_place(draft, case, author):
    applied = editing.apply(draft, [change(case, "/payload", {"a": [1, 2**64 + 1]})], author)
    case.refresh_from_db()
    assert repr(case.document["payload"]) == "{'a': [1, 1.8446744073709552e+19]}"
    [finding] = applied.noticed[NodeKind.CASE, case.pk]
    assert (finding.code, finding.path) == ("json.W003", ("payload", "a", 1))
    added = editing.add_node(draft, CASE, author, document={"payload": {"a": 10**30}}, input_set=case.input_set_id)
    assert [finding.path for finding in added.noticed[NodeKind.CASE, added.node]] == [("payload", "a")]


@pytest.mark.parametrize("value", [10**400, float("inf"), float("nan"), "\ud800", {"\udfff": 1}, [[float("-inf")]]])
def test_a_value_that_no_file_can_say_is_refused(draft, case, author, value):
    for act in (
        lambda: editing.apply(draft, [change(case, "/payload", value)], author),
        lambda: editing.add_node(draft, CASE, author, document={"payload": value}, input_set=case.input_set_id),
    ):
        with pytest.raises(EditRefused) as refused:
            act()
        assert refused.value.code == "bad_value"


def test_a_value_nested_without_end_is_refused(draft, case, author):
    value = []
    for _ in range(500):
        value = [value]
    with pytest.raises(EditRefused) as refused:
        editing.apply(draft, [change(case, "/payload", value)], author)
    assert refused.value.code == "bad_value"


def test_odd_keys_are_edited_and_undone(draft, case, author):
    for pointer in ("/x-\x00", "/", "/a~1b", "/~0"):
        editing.apply(draft, [change(case, pointer, 1)], author)
    document = Case.objects.get(pk=case.pk).document
    assert [document[key] for key in ("x-\x00", "", "a/b", "~")] == [1, 1, 1, 1]
    for _ in range(4):
        editing.undo(draft, author)
    assert Case.objects.get(pk=case.pk).document == case.document


def test_a_node_that_was_read_before_somebody_else_wrote_is_read_again(draft, case, author, administrator):
    seen_draft, seen_case = Pack.objects.get(pk=draft.pk), Case.objects.get(pk=case.pk)
    editing.apply(draft, [change(case, "/payload", {"a": 1})], administrator)
    editing.apply(seen_draft, [change(case, "/inputs/0/value", "mine")], author, known=seen_case)
    case.refresh_from_db()
    assert (case.document["payload"], case.document["inputs"][0]["value"]) == ({"a": 1}, "mine")


def test_what_a_check_of_the_whole_draft_found_since_a_node_was_read_stays(draft, case, author):
    editing.apply(draft, [change(case, "/payload", {"a": 1})], author)
    seen_draft, seen_case = Pack.objects.get(pk=draft.pk), Case.objects.get(pk=case.pk)
    wide = Finding(min(adapter_of("challenge_pack").PACK_WIDE), Severity.WARNING, (), "Only the whole draft shows it.")
    address = Address(CASE, (0, 0))
    store_all(draft, {address: [stored(wide)]})
    editing.apply(seen_draft, [change(case, "/inputs/0/value", "mine")], author, known=seen_case)
    case.refresh_from_db()
    assert [found["code"] for found in case.findings] == [wide.code]


def test_a_refused_change_leaves_the_row_at_hand_as_it_was(draft, case, author):
    before = case.document
    with pytest.raises(EditRefused):
        editing.apply(draft, [change(case, "/payload", 1), change(case, "/payload/a/b", 2)], author, known=case)
    assert case.document == before
