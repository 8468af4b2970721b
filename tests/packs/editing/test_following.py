"""A name that is typed in its place: what refers to it follows as far as nothing else has the old name."""

import pytest

from packs import editing
from packs.editing import Change
from packs.formats.document import NodeKind
from packs.importing import import_pack
from tests.packs.formats.names.test_renames import PACK

SPEC = "/version/evaluation_spec"


@pytest.fixture
def desk(team, author):
    return import_pack(team, author, {"pack.yaml": PACK.encode()}, "desk")


def typed(pack, author, pointer, *texts, kind=NodeKind.PACK, node=None):
    for text in texts:
        applied = editing.apply(pack, [Change(kind, node or pack.pk, pointer, text)], author)
    return list(map(str, applied.renamed))


def dimensions(pack):
    pack.refresh_from_db()
    return pack.document["version"]["evaluation_spec"]["scorecard"]["dimensions"]


def test_references_in_the_same_document_follow(desk, author):
    told = typed(desk, author, f"{SPEC}/validators/0/key", "exact")
    assert told == ["Renamed right to exact. 1 place in the pack was updated."]
    assert dimensions(desk)[0]["validators"] == ["exact", "told"]
    editing.undo(desk, author)
    assert dimensions(desk)[0]["validators"] == ["right", "told"]


@pytest.mark.parametrize("between", ["", " ", "told"])
def test_references_wait_while_a_name_is_cleared_or_that_of_another(desk, author, between):
    typed(desk, author, f"{SPEC}/validators/0/key", between)
    assert dimensions(desk)[0]["validators"] == ["right", "told"]
    typed(desk, author, f"{SPEC}/validators/0/key", "exact")
    assert dimensions(desk)[0]["validators"] == ["exact", "told"]


def test_an_input_of_one_case_takes_along_what_that_case_says_of_it(desk, author):
    one = desk.cases.get(key="one")
    typed(desk, author, "/inputs/0/key", "query", kind=NodeKind.CASE, node=one.pk)
    one.refresh_from_db()
    assert one.document["expectations"][1]["source"] == "input:query"
    # The other case still has a question, which the pack's settings mean.
    assert "case.inputs.question.text" in str(desk.document)


def test_the_last_input_of_a_name_takes_along_all_that_names_it(desk, author):
    for case in desk.cases.all():
        told = typed(desk, author, "/inputs/0/key", "query", kind=NodeKind.CASE, node=case.pk)
    desk.refresh_from_db()
    assert "case.inputs.query.text" in str(desk.document)
    assert "{{query.text}}" in desk.challenges.get().document["instructions"]
    assert told == ["Renamed question to query. 3 places in the pack and 1 challenge were updated."]
