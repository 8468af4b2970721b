import contextlib
import os
import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from packs import blobs, editing
from packs.access import Role
from packs.editing import EditRefused
from packs.editing.draft import ROOM
from packs.editing.points import point_at
from packs.editing.restoring import restore_point
from packs.editing.sittings import sittings
from packs.exporting import export_draft
from packs.formats import FORMATS
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.mirror import format_of, read_tree
from tests.packs.drafts import draft_of, pack_text, random_edit
from tests.packs.fine.generated import bases
from tests.packs.formats.comparing.edited import edited
from tests.people import make_member

EDITS = 45
# Steps of a history in each format; more with PACKWRIGHT_TEST_STEPS (and --timeout=0: thousands take many minutes).
STEPS = int(os.environ.get("PACKWRIGHT_TEST_STEPS", "12"))
# At how many of them is looked again in the end: each look walks back all that was done since.
MAX_LOOKS = 200


def state(draft):
    """What a draft exports, canonical and as it came."""
    return dict(export_draft(draft).files), dict(export_draft(draft, preserve=True).files)


def wander(draft, people, chance, number):
    """One edit of somebody, or something undone or made again."""
    person = chance.choice(people)
    turn = chance.choice(["edit"] * 5 + ["undo", "undo", "redo", "asset"])
    if turn == "edit":
        random_edit(draft, person, chance, number)
    elif turn == "asset":
        change_asset(draft, person, chance, number)
    else:
        with contextlib.suppress(EditRefused):
            {"undo": editing.undo, "redo": editing.redo}[turn](draft, person)


def change_asset(draft, person, chance, number):
    assets = list(draft.assets.values_list("pk", flat=True))
    if not assets or chance.random() < 0.3:
        document = {"key": f"a{number}", "path": f"a{number}.txt"}
        editing.add_node(draft, NodeKind.ASSET, person, document=document)
    else:
        blob = chance.choice([None, blobs.put(f"text {number}".encode())])
        editing.set_asset_content(draft, chance.choice(assets), blob, person)


@pytest.mark.parametrize("seed", range(4))
def test_every_point_of_a_history_comes_back_with_its_exports(team, author, seed):
    chance, people = random.Random(seed), [author, make_member(team, Role.REVIEWER)]
    draft = import_pack(team, author, {"own-name.yaml": pack_text(4) + b"# as it came\n"}, "own-name.yaml")
    seen = {draft.revision: state(draft)}
    for number in range(EDITS):
        wander(draft, people, chance, number)
        seen.setdefault(draft.revision, state(draft))
    for revision, (files, _) in seen.items():
        tree = point_at(draft, revision).tree()
        assert format_of(draft).dump(tree) == files, revision
    for revision in chance.sample(sorted(seen), 6):
        restore_point(draft, revision, author)
        assert state(draft) == seen[revision]


def test_a_point_before_an_import_has_the_files_that_came_first(team, author):
    first = {"own.yaml": pack_text(2) + b"# first\n"}
    draft = import_pack(team, author, first, "own.yaml")
    at = draft.revision
    import_pack(team, author, {"other.yaml": pack_text(3) + b"# second\n"}, "other.yaml")
    draft.refresh_from_db()
    restore_point(draft, at, author)
    assert dict(export_draft(draft, preserve=True).files) == first
    editing.undo(draft, author)
    assert draft.cases.count() == 3


def test_points_before_room_was_made_between_cases_come_back(team, author):
    draft = draft_of(team, pack_text(3))
    target, first = draft.input_sets.get().pk, draft.cases.get(key="case-0").pk
    editing.move_node(draft, NodeKind.CASE, draft.cases.get(key="case-2").pk, author, after=first)
    seen = {draft.revision: state(draft)}
    for number in range(40):
        document = {"challenge_key": "locate", "case_key": f"n{number}"}
        editing.add_node(draft, NodeKind.CASE, author, document=document, input_set=target, after=first)
        seen[draft.revision] = state(draft)
    editing.move_node(draft, NodeKind.CASE, first, author)
    assert draft.edits.filter(label=ROOM).exists()
    assert {moment.author for moment in editing.history(draft)} == {author.get_username()}
    for revision, (files, _) in seen.items():
        assert format_of(draft).dump(point_at(draft, revision).tree()) == files
    (sitting,) = sittings(draft)
    assert sitting.words == "Added 40 cases, moved 2 cases"


def test_many_undos_cost_no_more_queries_on_the_way_to_a_point(team, author):
    draft = draft_of(team)
    at, counts = draft.revision, []
    for number in range(4):
        editing.replace_document(draft, NodeKind.PACK, draft.pk, {**draft.document, "x-note": number}, author)
        editing.undo(draft, author)
        with CaptureQueriesContext(connection) as queries:
            assert "x-note" not in point_at(draft, at).tree().document
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts


def test_an_asset_that_had_no_bytes_has_none_again(team, author):
    draft = draft_of(team)
    asset = editing.add_node(draft, NodeKind.ASSET, author, document={"key": "a", "path": "a.txt"}).node
    at = draft.revision
    editing.set_asset_content(draft, asset, blobs.put(b"late"), author)
    restore_point(draft, at, author)
    assert draft.assets.get().blob is None
    editing.undo(draft, author)
    assert blobs.read(draft.assets.get().blob_id) == b"late"


@pytest.mark.parametrize("name", FORMATS)
def test_every_point_of_a_history_comes_back_in_every_format(team, author, name):
    chance, files = random.Random(name), bases()[name][1]
    draft = import_pack(team, author, files, "pack.zip")
    adapter, seen = format_of(draft), {draft.revision: state(draft)}
    while len(seen) <= STEPS:
        deed = chance.random()
        if deed < 0.1:
            # Also what keeps a pack from running empty: nothing else brings back the last node of a kind.
            at = chance.choice(sorted(seen))
            restore_point(draft, at, author)
            assert state(draft) == seen[at], at
        elif deed < 0.3:
            with contextlib.suppress(EditRefused):
                chance.choice([editing.undo, editing.redo])(draft, author)
        else:
            editing.replace_tree(draft, edited(adapter, chance, read_tree(draft)), author, is_exact=True)
        draft.refresh_from_db()
        if draft.revision not in seen:
            seen[draft.revision] = state(draft)
    for revision in chance.sample(sorted(seen), min(len(seen), MAX_LOOKS)):
        assert adapter.dump(point_at(draft, revision).tree()) == seen[revision][0], revision
    for revision in chance.sample(sorted(seen), 4):
        restore_point(draft, revision, author)
        assert state(draft) == seen[revision]


@pytest.mark.parametrize("name", FORMATS)
def test_packs_of_every_format_come_back(team, author, name):
    for number, files in enumerate(bases()[name][:3]):
        draft = import_pack(team, author, files, "pack.zip", slug=f"p{number}")
        at, before = draft.revision, state(draft)
        for case in list(draft.cases.all())[:2]:
            editing.remove_node(draft, NodeKind.CASE, case.pk, author)
        editing.replace_document(draft, NodeKind.PACK, draft.pk, {**draft.document, "x-note": 1}, author)
        restore_point(draft, at, author)
        assert state(draft) == before
