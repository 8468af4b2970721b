from packs.editing.comments import answer, comment_on
from packs.formats.document import NodeKind
from tests.packs.drafts import draft_of


def test_what_somebody_said_stays_when_the_account_goes(team, author):
    draft = draft_of(team)
    said = comment_on(draft, (NodeKind.PACK, draft.pk), "", "Why?", author)
    answer(said, "Because.", author)
    author.delete()
    assert [(each.text, each.author) for each in draft.comments.all()] == [("Why?", None), ("Because.", None)]
