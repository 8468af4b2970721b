"""Acts of the command palette: what their words begin."""

from studio.views.acts import act_hits
from tests.packs.drafts import draft_of


def titles(user, text):
    return [hit.title for hit in act_hits(user, text)]


def test_an_act_needs_its_first_letters_and_all_other_words(team, author):
    draft_of(team)
    assert titles(author, "publ parc") == titles(author, "p") == ["Publish Parcels"]
    assert titles(author, "publish other") == titles(author, "republish") == titles(author, "") == []
