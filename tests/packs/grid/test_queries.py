import pytest

from packs.editing import Change, apply
from packs.formats.document import NodeKind
from packs.grid.queries import Matches, Query
from tests.packs.grid.benchmark import grid_draft, row


@pytest.fixture
def found(rows_file, columns):
    """The keys of the cases that match, in their order."""
    return lambda **asked: [case.key for case in Matches(rows_file, Query(**asked), columns).page(0)]


def test_all_words_must_occur_somewhere(found):
    assert found(text="van 3?") == ["row-3"]
    assert found(text='"van 3"') == ["row-3"]
    assert found(text="VAN hard") == ["row-1", "row-3", "row-5"]


def test_a_word_that_is_the_name_of_a_field_does_not_find_every_row(found):
    assert found(text="question") == []
    assert found(text="accepted") == []


def test_a_word_can_be_asked_of_one_column(found):
    assert found(text="metadata.level:hard 3") == ["row-3"]
    assert found(text="input.question:hard") == []
    assert found(text="id:row-4") == ["row-4"]


def test_values_are_compared_whole(found):
    assert found(where={"/metadata/level": "easy"}) == ["row-0", "row-2", "row-4"]
    assert found(where={"/metadata/weight": "3"}) == ["row-3"]
    assert found(where={"/input/question": "van"}) == []


def test_rows_that_leave_the_family_to_the_manifest_have_it(team, found):
    assert len(found(where={"/family": "short_answer"})) == 6
    assert found(where={"/family": "repo_patch"}) == []


def test_rows_are_sorted_by_numbers_as_numbers_and_empty_ones_last(draft, author, rows_file, columns):
    case = draft.cases.get(key="row-2")
    apply(draft, [Change(NodeKind.CASE, case.pk, "/metadata/weight", 10)], author)
    case = draft.cases.get(key="row-4")
    apply(draft, [Change(NodeKind.CASE, case.pk, "/metadata", {})], author)
    ordered = Matches(rows_file, Query(sort="/metadata/weight"), columns)
    assert [item.key for item in ordered.page(0)] == ["row-0", "row-1", "row-3", "row-5", "row-2", "row-4"]
    assert [item.key for item in ordered.page(4, 1)] == ["row-2"]
    assert [item.key for item in Matches(rows_file, Query(sort="key", descending=True), columns).page(0, 1)] == [
        "row-5"
    ]


def test_rows_with_problems_can_be_asked_for_and_sorted_first(draft, author, found):
    case = draft.cases.get(key="row-3")
    apply(draft, [Change(NodeKind.CASE, case.pk, "/input", {})], author)
    assert found(problems="error") == ["row-3"]
    assert found(problems="any") == ["row-3"]
    assert "row-3" not in found(problems="none")
    assert found(sort="problems", descending=True)[0] == "row-3"


def test_texts_with_quotes_lines_and_other_letters_are_found(team, columns):
    draft = grid_draft(team, [row(1, input={"question": 'Say "Grüße"\nand go: home'}), row(2)], slug="letters")
    rows_file = draft.input_sets.get()
    for text in ("Grüße", '"go: home"', "home"):
        assert [case.key for case in Matches(rows_file, Query(text=text), columns).page(0)] == ["row-1"], text
    assert [case.key for case in Matches(rows_file, Query(text="home"), columns).rows()] == ["row-1"]
    assert len(Matches(rows_file, Query(), columns)) == 2


def test_where_nothing_matches_there_is_nothing_to_sort(found):
    assert found(where={"/family": "repo_patch"}, sort="/input/question") == []
    assert found(text="nobody", sort="/input/question") == []


@pytest.mark.parametrize("sort", ["", "key", "problems", "/metadata/weight"])
@pytest.mark.parametrize("descending", [False, True])
def test_all_that_match_are_in_the_order_of_their_pages(rows_file, columns, sort, descending):
    asked = Query(sort=sort, descending=descending)
    pages = Matches(rows_file, asked, columns)
    assert Matches(rows_file, asked, columns).ids() == [case.pk for at in (0, 4) for case in pages.page(at, 4)]
