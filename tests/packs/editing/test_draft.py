import pytest

from packs import editing
from packs.editing import Change
from packs.editing.draft import changing
from packs.formats.document import NodeKind
from packs.models import Case, Edit
from tests.packs.drafts import draft_of, pack_text
from tests.packs.editing.writers import EDITS, WRITERS, outcomes


def test_twenty_writers_at_once_lose_nothing_and_meet_no_lock(tmp_path):
    found = outcomes(str(tmp_path))
    assert found["errors"] == []
    assert found["edits"] == WRITERS * EDITS
    assert found["revision"] == 1 + WRITERS * EDITS
    assert found["values"] == {f"x-writer-{number}": EDITS - 1 for number in range(WRITERS)}
    assert found["counted"] == found["stored"] == 0


def test_nothing_is_written_when_an_edit_breaks_off(team, author):
    draft = draft_of(team)
    case = draft.cases.first()

    def break_off():
        with changing(draft, author) as opened:
            opened.set_document(opened.get(NodeKind.CASE, case.pk), {})
            opened.record(case, Edit.Action.SET)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        break_off()
    assert not Edit.objects.exists()
    assert Case.objects.get(pk=case.pk).document == case.document
    assert draft.revision == 1


def test_the_callers_own_row_is_brought_up_to_date(team, author):
    draft = draft_of(team)
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", "")], author)
    assert (draft.revision, draft.document["pack"]["name"], draft.title) == (2, "", "")
    assert draft.problem_errors == draft.error_count == 1


def test_a_thousand_cases_are_changed_with_few_queries(team, author, django_assert_max_num_queries):
    draft = draft_of(team, pack_text(1000))
    changes = [Change(NodeKind.CASE, case.pk, "/payload", {"tag": "new"}) for case in draft.cases.all()]
    with django_assert_max_num_queries(70):
        editing.apply(draft, changes, author, draft.revision)
    assert Case.objects.filter(revision=2).count() == 1000
    editing.undo(draft, author)
    assert not any("payload" in case.document for case in draft.cases.all())
