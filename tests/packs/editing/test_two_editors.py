"""Two people who edit one case at random, each from what they last saw: nothing of either is lost in silence."""

import os
from random import Random

import pytest

from packs.editing import Change, apply
from packs.editing.values import EditRefused
from packs.formats.document import NodeKind
from tests.packs.drafts import draft_of

pytestmark = pytest.mark.django_db
# All of them with PACKWRIGHT_TEST_SESSIONS=1000.
SESSIONS = int(os.environ.get("PACKWRIGHT_TEST_SESSIONS", "12"))
STEPS = 14
FIELDS = ("one", "two", "three")


class Editor:
    """Somebody with a page that shows a state of the case."""

    def __init__(self, draft, case, user):
        self.draft, self.case, self.user = draft, case, user
        self.look()

    def look(self):
        self.draft.refresh_from_db()
        self.case.refresh_from_db()
        self.seen, self.revision = self.case.document, self.draft.revision

    def send(self, pointer, *value, insert=False):
        change = Change(NodeKind.CASE, self.case.pk, pointer, *value, insert=insert)
        return apply(self.draft, [change], self.user, self.revision)


def parts(document):
    """Everything in a case that a person can write, by what it is rather than by where it stands."""
    items = {f"item {item['key']}": item.get("value") for item in document["inputs"]}
    return items | {f"field {name}": document[name] for name in FIELDS if name in document}


def wish(random, seen, token):
    """An edit of what is seen: what is sent, what it is about, and what that becomes."""
    items = seen["inputs"]
    act = random.choice(["field", "field", "clear", "value", "value", "insert", "remove"])
    name = random.choice(FIELDS)
    if act == "field":
        return (f"/{name}", token), f"field {name}", token
    if act == "clear" and name in seen:
        return (f"/{name}",), f"field {name}", None
    if act in ("value", "remove") and items:
        at = random.randrange(len(items))
        about = f"item {items[at]['key']}"
        return ((f"/inputs/{at}/value", token), about, token) if act == "value" else ((f"/inputs/{at}",), about, None)
    at = random.randint(0, len(items))
    return (f"/inputs/{at}", {"key": token, "value": token}), f"item {token}", token


def sent_by(editor, sent, *, insert):
    """What an edit did; None where its place is not there any more."""
    try:
        return editor.send(*sent, insert=insert)
    except EditRefused:
        return None


def step(random, editor, token):
    """One edit, which is made as it was meant, or refused; whether somebody was asked."""
    sent, about, value = wish(random, editor.seen, token)
    editor.case.refresh_from_db()
    before, shown = parts(editor.case.document), parts(editor.seen)
    is_new = about not in shown and about.startswith("item")
    applied = sent_by(editor, sent, insert=is_new)
    if applied is None:
        # A field that is gone is refused by its name, never written elsewhere.
        assert before.get(about) != shown.get(about)
        return True
    editor.case.refresh_from_db()
    after = parts(editor.case.document)
    if applied.conflicts:
        assert after == before
        return True
    expected = {name: text for name, text in before.items() if name != about} | ({about: value} if value else {})
    assert after == expected
    # What the other one wrote there was seen, or is what was written now.
    assert before.get(about) in (shown.get(about), value)
    return False


def test_every_edit_is_made_as_it_was_meant_or_its_author_is_asked(team, author, administrator):
    asked = made = 0
    for session in range(SESSIONS):
        random = Random(session)
        draft = draft_of(team, slug=f"session-{session}")
        case = draft.cases.first()
        editors = [
            Editor(type(draft).objects.get(pk=draft.pk), draft.cases.get(pk=case.pk), user)
            for user in (author, administrator)
        ]
        for number in range(STEPS):
            one = random.choice(editors)
            was_asked = step(random, one, f"t{session}-{number}")
            asked, made = asked + was_asked, made + (not was_asked)
            one.look()
    assert asked > SESSIONS / 4
    assert made > asked
