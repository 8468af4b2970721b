import pytest

from packs.access import Role
from packs.editing import ABSENT, Change, EditRefused, apply, remove_node, undo
from packs.editing.comments import answer, begun, comment_on, open_counts, set_done, threads
from packs.formats.document import NodeKind
from tests.packs.drafts import draft_of
from tests.people import make_member


@pytest.fixture
def say(draft, case, author):
    return lambda pointer="/inputs/0/value", text="Why?": comment_on(draft, (case.kind, case.pk), pointer, text, author)


def change(draft, case, author, pointer, value=ABSENT, **more):
    apply(draft, [Change(case.kind, case.pk, pointer, value, **more)], author)


def place(draft):
    (thread,) = threads(draft, begun(draft))
    return thread.path


def test_a_comment_stays_at_its_field_while_it_moves(draft, case, author, say):
    say()
    change(draft, case, author, "/inputs/0", {"key": "first", "kind": "text", "value": "x"}, insert=True)
    assert place(draft) == ("inputs", 1, "value")
    change(draft, case, author, "/inputs/1/value", "Another question")
    assert place(draft) == ("inputs", 1, "value")


def test_a_comment_is_outdated_while_its_field_or_node_is_gone(draft, case, author, say):
    say()
    change(draft, case, author, "/inputs")
    assert place(draft) is None
    undo(draft, author)
    assert place(draft) == ("inputs", 0, "value")
    remove_node(draft, NodeKind.CASE, case.pk, author)
    assert place(draft) is None
    undo(draft, author)
    assert place(draft) == ("inputs", 0, "value")


def test_members_are_mentioned_and_nobody_else(draft, stranger, team, say):
    reviewer = make_member(team, Role.REVIEWER)
    said = say(text=f"@{reviewer.username}, and @{stranger.username}, mail@{reviewer.username}: see @nobody.")
    assert list(said.mentions.all()) == [reviewer]
    assert list(say(text=f"mail@{reviewer.username}").mentions.all()) == []


def test_a_thread_is_done_until_somebody_answers(draft, case, author, say):
    said = say()
    assert open_counts(draft) == {("case", case.pk): 1}
    set_done(said, author)
    assert open_counts(draft) == {}
    answer(said, f"Not yet, @{author.username}", author)
    assert open_counts(draft) == {("case", case.pk): 1}
    assert [each.text for each in said.answers.all()] == [f"Not yet, @{author.username}"]
    assert list(said.mentions.all()) == [author]


@pytest.mark.parametrize(
    ("pointer", "text", "code"),
    [
        ("/inputs/7", "Why?", "bad_pointer"),
        ("inputs", "Why?", "bad_pointer"),
        ("", "  ", "bad_comment"),
        ("", "x" * 10_001, "bad_comment"),
    ],
)
def test_a_comment_on_nothing_or_without_text_is_refused(say, draft, pointer, text, code):
    with pytest.raises(EditRefused) as refused:
        say(pointer, text)
    assert refused.value.code == code
    assert not draft.comments.exists()


def test_a_node_of_another_draft_cannot_be_commented(other_team, author, case):
    with pytest.raises(EditRefused) as refused:
        comment_on(draft_of(other_team), (case.kind, case.pk), "", "Why?", author)
    assert refused.value.code == "no_such_node"
