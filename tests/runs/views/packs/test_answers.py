"""Right and wrong answers that an author states for a case, beside its proof."""

import pytest

from packs.editing import undo
from packs.editing.files import file_content, set_file
from packs.formats.document import PROOF_FILE
from packs.importing import import_pack
from runs.jobs.proofs import stated_answers
from runs.proof.author import read_notes
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(team, author):
    loose = {"says": ("contains", *TIDY[1:])}
    pack = import_pack(team, author, challenge(loose, ["Leeds", "York"]), "planted")
    return pack.cases.order_by("position").select_related("pack__team", "input_set").first()


def kept(case):
    return [(each.name, each.work.text, dict(each.work.files)) for each in stated_answers(case)]


def test_an_answer_is_stated_changed_and_removed_as_edits_that_undo_takes_back(as_author, author, case):
    url, form = f"/proofs/cases/{case.pk}/", f"/proofs/cases/{case.pk}/answers/"
    assert "accepts_wrong" in as_author.post(form, {"name": "wrong", "text": "Not Leeds"}).text
    first = as_author.post(form, {"act": "more", "name": "wrong", "text": "See", "path": "a.txt", "content": "\nLeeds"})
    assert (first.text.count('name="path"'), kept(case)) == (2, [("wrong", "Not Leeds", {})])
    assert "\n\nLeeds</textarea>" in first.text
    files = {"path": ["a.txt", ""], "content": ["Leeds", ""]}
    as_author.post(form, {"name": "right", "text": "See the file", **files})
    assert kept(case)[0] == ("right", "See the file", {"a.txt": "Leeds"})
    right, wrong = stated_answers(case)
    shown = as_author.get(url, {"answer": wrong.key}).text
    assert ("Change an answer" in shown, f'value="{wrong.key}"' in shown, ">\nNot Leeds</textarea>" in shown) == (
        True,
    ) * 3
    assert 'hx-trigger="load"' not in shown
    as_author.post(form, {"name": "wrong", "text": "Hull", "instead": wrong.key})
    assert kept(case)[1] == ("wrong", "Hull", {})
    assert "accepts_wrong" not in as_author.get(url).text
    as_author.post(form, {"act": "remove", "instead": right.key})
    assert kept(case) == [("wrong", "Hull", {})]
    case.pack.refresh_from_db()
    undo(case.pack, author)
    assert len(kept(case)) == 2


def test_what_was_typed_stays_where_it_is_refused(as_author, author, case):
    form = f"/proofs/cases/{case.pk}/answers/"
    odd = as_author.post(form, {"name": "right", "text": "Typed", "events": "odd"})
    assert (odd.status_code, "Line 1 of the events is not JSON" in odd.text) == (422, True)
    assert ">\nTyped</textarea>" in odd.text
    gone = as_author.post(form, {"name": "right", "text": "Typed", "instead": "wrong-1"})
    assert (gone.status_code, "does not say this" in gone.text) == (422, True)
    set_file(case.pack, PROOF_FILE, b"# Mine\ncases: []\n", author)
    commented = as_author.post(form, {"name": "right", "text": "Typed"})
    assert (commented.status_code, ">\nTyped</textarea>" in commented.text) == (422, True)
    assert file_content(case.pack, PROOF_FILE) == b"# Mine\ncases: []\n"
    assert as_author.post(form, {"name": "best", "text": "x"}).status_code == 404


def test_a_reference_beside_the_case_is_stated_once(as_author, case):
    url, form = f"/proofs/cases/{case.pk}/", f"/proofs/cases/{case.pk}/answers/"
    assert 'value="reference"' in as_author.get(url).text
    as_author.post(form, {"name": "reference", "text": "Leeds"})
    assert 'value="reference"' not in as_author.get(url).text
    [stated] = stated_answers(case)
    assert 'value="reference"' in as_author.get(url, {"answer": stated.key}).text
    as_author.post(form, {"name": "reference", "text": "Leeds hub", "instead": stated.key})
    notes, _ = read_notes(file_content(case.pack, PROOF_FILE))
    assert [entry["reference"] for entry in notes.document["cases"]] == ["Leeds hub"]
