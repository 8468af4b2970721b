"""A page that knows no answer to what it sent goes on from there."""

from packs.editing import Conflict
from packs.views.workbench.addresses import NodeRef
from packs.views.workbench.desk import Desk
from packs.views.workbench.unanswered import is_own

AT = "/inputs/0/value"


def stored(case):
    case.refresh_from_db()
    return case.document["inputs"][0]["value"]


def test_later_words_follow_those_whose_answer_never_came(node_page, case):
    shown = node_page(f"cases/{case.pk}")
    shown.live(AT, **{f"t:{AT}": "fir"})
    response = shown.live(AT, **{f"t:{AT}": "first", f"before:t:{AT}": "fir"})
    assert stored(case) == "first"
    assert not response.context["disputes"]


def test_what_somebody_else_wrote_in_between_is_disputed(node_page, case, someone_else):
    shown = node_page(f"cases/{case.pk}")
    shown.live(AT, **{f"t:{AT}": "fir"})
    someone_else(case, AT, "theirs")
    response = shown.live(AT, **{f"t:{AT}": "first", f"before:t:{AT}": "fir"})
    assert stored(case) == "theirs"
    assert [(item.yours, item.theirs) for item in response.context["disputes"]] == [("first", "theirs")]


def test_words_sent_for_another_place_settle_no_conflict(node_page, case, someone_else):
    shown = node_page(f"cases/{case.pk}")
    someone_else(case, "/expectations/0/value", "theirs")
    shown.live("/expectations/0/value", **{"t:/expectations/0/value": "mine", f"before:t:{AT}": "fir"})
    case.refresh_from_db()
    assert case.document["expectations"][0]["value"] == "theirs"


def test_only_words_of_the_same_node_are_the_pages_own(draft, case, author):
    other = draft.cases.exclude(pk=case.pk).first()
    desk = Desk(draft, case, NodeRef(case.kind, case.pk), author, True, section=None)
    sent = {"inputs": [{"value": "fir"}]}
    owners = {
        (row.kind, row.pk): is_own(Conflict(row.kind, row.pk, AT, "first", "fir"), desk, sent)
        for row in (case, other, draft)
    }
    assert owners == {(case.kind, case.pk): True, (other.kind, other.pk): False, (draft.kind, draft.pk): False}
    assert not is_own(Conflict(case.kind, case.pk, AT, "first", "theirs"), desk, sent)
