from packs.editing import Change, change_cases
from packs.formats.document import NodeKind
from packs.grid.foresight import errors_ahead


def test_errors_are_told_of_the_case_that_would_have_them(draft, author):
    first, second, third = draft.cases.order_by("position")[:3]
    broken = {first.pk: {**first.document, "input": {}}, third.pk: {**third.document, "metadata": {}}}
    ahead = errors_ahead(draft, broken, [{"id": "new"}, second.document], draft.input_sets.get().pk)
    assert list(ahead.changed) == [first.pk]
    assert list(ahead.added) == [0, 1]
    assert ahead.elsewhere == []


def test_errors_that_are_there_already_are_no_news(draft, author):
    case = draft.cases.first()
    change_cases(draft, author, [Change(NodeKind.CASE, case.pk, "/input", {})])
    case.refresh_from_db()
    assert errors_ahead(draft, {case.pk: {**case.document, "metadata": {}}}).changed == {}


def test_nothing_is_written(draft):
    revision = draft.revision
    errors_ahead(draft, {draft.cases.first().pk: {}}, [{}], draft.input_sets.get().pk)
    draft.refresh_from_db()
    assert (draft.revision, draft.cases.count(), draft.problem_errors) == (revision, 6, 0)
