import pytest

from packs.editing import EditRefused, undo
from packs.editing.arranging import arrange, arrangements, ways
from packs.mirror import read_tree
from tests.packs.drafts import draft_of
from tests.packs.suites import draft_of_suite


@pytest.fixture
def draft(team, author):
    return draft_of_suite(team, author)


def test_cases_move_in_one_edit_that_undo_takes_back(draft, author):
    before = read_tree(draft)
    suite = draft.input_sets.get()
    arrange(draft, suite.pk, "folders", author)
    (moved,) = arrangements(draft)
    assert (moved.how, moved.count, moved.input_set) == ("folders", 2, suite.pk)
    undo(draft, author)
    assert read_tree(draft) == before


def test_the_page_is_told_why_folders_would_suit_the_cases(draft):
    (shown,) = arrangements(draft)
    assert shown.how == "inline"
    assert len(shown.advice) == 1


def test_a_way_or_an_input_set_that_is_not_there_is_refused(draft, author):
    for pk, how in ((draft.input_sets.get().pk, "elsewhere"), (0, "rows")):
        with pytest.raises(EditRefused):
            arrange(draft, pk, how, author)


def test_a_format_with_one_way_offers_none(team, author):
    draft = draft_of(team)
    assert ways(draft) == {}
    assert arrangements(draft) == []
    with pytest.raises(EditRefused):
        arrange(draft, draft.input_sets.first().pk, "rows", author)
