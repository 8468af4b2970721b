import uuid
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings

from packs import blobs, exporting
from packs.formats import adapter_of, document
from packs.formats.adapter import Node
from packs.formats.document import Address, NodeKind
from packs.formats.findings import Rule
from packs.formats.index import TreeIndex
from packs.importing import import_pack
from packs.mirror import RowIndex, address_of, format_of, node_of, read_tree, restored, stored, write_tree
from packs.mirror.reading import all_cases, obstacles_to, read_alone
from packs.models import Artifact, Asset, Case, Pack, Team
from tests.drawing import drawn
from tests.packs.drafts import draft_of, pack_text
from tests.packs.formats.challenge_pack.generated import packs as generated_packs
from tests.packs.grid.benchmark import grid_draft, rows_of

SAMPLES = sorted((Path(__file__).resolve().parents[2] / "packs" / "samples").iterdir())


def files_of(path):
    if path.is_file():
        return {path.name: path.read_bytes()}
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


@pytest.fixture
def draft(team):
    return draft_of(team)


@settings(max_examples=drawn(60), suppress_health_check=list(HealthCheck))
@given(tree=generated_packs())
def test_any_pack_comes_back_from_the_rows_unchanged(transactional_db, tree):
    team, _ = Team.objects.get_or_create(slug="default", defaults={"name": "Default"})
    row = Pack.objects.create(team=team, slug="any", format=tree.format)
    try:
        write_tree(row, tree)
        again = read_tree(Pack.objects.get(pk=row.pk))
        assert again == tree
        assert exporting.export_draft(row).files == adapter_of(tree.format).dump(tree)
    finally:
        row.delete()


HUGE = {"a": 2**70, "b": -0.0, "c": 1e300, "d": "\x00\ud800", "z": {"2": 1, "10": 2, "1": 3}, "e": [1, 1.0, True, None]}


def test_numbers_texts_and_the_order_of_keys_survive_the_database(team):
    tree = document.Pack("challenge_pack", "p", {"pack": {"slug": "p"}, "x-odd": HUGE})
    row = Pack.objects.create(team=team, slug="p", format="challenge_pack")
    write_tree(row, tree)
    found = Pack.objects.get(pk=row.pk).document["x-odd"]
    assert repr(found) == repr(HUGE)


def test_assets_and_files_come_back_with_their_bytes(team):
    tree = document.Pack(
        "challenge_pack",
        "p",
        {"pack": {"slug": "p"}},
        assets=(
            document.Asset("a", "a.bin", {"key": "a", "path": "a.bin"}, b"\x00\xff"),
            document.Asset("b", "b.bin", {"key": "b", "path": "b.bin"}),
        ),
        files=(document.File("notes.txt", b"hello"),),
    )
    row = Pack.objects.create(team=team, slug="p", format="challenge_pack")
    write_tree(row, tree)
    assert read_tree(row) == tree
    without = read_tree(row, contents=False)
    assert [asset.content for asset in without.assets] == [None, None]
    assert without.files == ()


def indices(draft):
    return RowIndex(draft), TreeIndex(read_tree(draft))


@pytest.mark.parametrize("key", ["locate", "other", "", "k" * 300])
def test_rows_answer_like_the_tree_about_keys(draft, key):
    rows, tree = indices(draft)
    assert rows.challenge(key) == tree.challenge(key)
    assert rows.asset(key) == tree.asset(key)


@pytest.mark.parametrize("path", ["locate", "files", "Files", "files/", "files/data/a.txt", "files/data/A.txt", ""])
def test_rows_answer_like_the_tree_about_folders(draft, path):
    Asset.objects.create(pack=draft, key="files/data/a.txt", document={"key": "files/data/a.txt"}, position=9000)
    rows, tree = indices(draft)
    assert rows.has_assets_at(path) == tree.has_assets_at(path)


def test_rows_answer_like_the_tree_about_sets_and_siblings(team):
    text = pack_text(3).replace(b"case-1", b"case-0")
    draft = draft_of(team, text)
    rows, tree = indices(draft)
    assert rows.pack == tree.pack
    for position in (0, 7):
        assert rows.only_challenge_key() == tree.only_challenge_key()
        assert rows.set_challenge_key(position) == tree.set_challenge_key(position)
        assert rows.case_count(position) == tree.case_count(position)
    cases = draft.cases.select_related("input_set").order_by("position")
    for index, case in enumerate(cases):
        placed = Node(NodeKind.CASE, case.document, case.key, case.challenge_key, 0, index)
        assert rows.is_repeated(node_of(case)) == tree.is_repeated(placed)
        with CaptureQueriesContext(connection) as queries:
            # A new index has read nothing. One query must answer both questions.
            other = RowIndex(draft)
            node = other.node(case)
            assert other.set_challenge_key(node.parent) == tree.set_challenge_key(0)
            assert other.is_repeated(node) == tree.is_repeated(placed)
        assert len(queries) == 1
    assert not rows.is_repeated(node_of(draft))
    assert not rows.is_repeated(node_of(draft.challenges.get()))


@pytest.mark.parametrize("keys", [(), ("one",), (" padded ",), ("one", "two")])
def test_rows_answer_like_the_tree_about_the_only_challenge(team, keys):
    tree = document.Pack(
        "challenge_pack", "p", {}, challenges=tuple(document.Challenge(key, {"key": key}) for key in keys)
    )
    row = Pack.objects.create(team=team, slug="p", format="challenge_pack")
    write_tree(row, tree)
    rows, expected = indices(row)
    assert rows.only_challenge_key() == expected.only_challenge_key() == (keys[0].strip() if len(keys) == 1 else "")


def test_assets_of_a_tree_make_their_stored_files_known_to_the_team(team, other_team):
    artifact = uuid.uuid4()
    stated = {"key": "map", "path": "maps/map.txt", "artifact_id": str(artifact)}
    asset = document.Asset("map", "maps/map.txt", stated, content=b"a map")
    row = Pack.objects.create(team=team, slug="p", format="challenge_pack")
    write_tree(row, document.Pack("challenge_pack", "p", {}, assets=(asset,)))
    known = Artifact.objects.get(artifact_id=artifact)
    assert (known.team, blobs.read(known.blob), known.name) == (team, b"a map", "maps/map.txt")


def test_a_row_knows_where_it_stands(draft):
    last = draft.cases.order_by("position").last()
    assert address_of(last) == Address(NodeKind.CASE, (0, 2))
    assert address_of(draft.input_sets.get()) == Address(NodeKind.INPUT_SET, (0,))
    assert address_of(draft) == Address(NodeKind.PACK)


def test_a_finding_comes_back_from_a_row_as_it_was():
    finding = Rule("pack.E999", "Wrong {what}.", hint="Mend it.", rule="X1").at(("a", 0, "b"), field="a[0]", what="b")
    assert restored(stored(finding)) == finding


def test_long_and_odd_keys_stay_whole_in_documents(team):
    key = "k" * 300 + "\x00"
    tree = document.Pack("challenge_pack", "p", {}, challenges=(document.Challenge(key, {"key": key, "title": "T"}),))
    row = Pack.objects.create(team=team, slug="p", format="challenge_pack")
    write_tree(row, tree)
    assert read_tree(row).challenges[0].document["key"] == key
    assert len(row.challenges.get().key) == 255


def steps_of_the_last_check(team, count):
    """How many instructions SQLite works through in the live check of the last of so many rows."""
    row = grid_draft(team, rows_of(count), slug=f"rows-{count}")
    last = row.cases.select_related("input_set").order_by("-position").first()
    told = []
    connection.connection.set_progress_handler(lambda: told.append(1), 1)
    try:
        assert list(format_of(row).check_node(RowIndex(row), node_of(last))) == []
    finally:
        connection.connection.set_progress_handler(None, 0)
    return len(told)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite counts what it does")
def test_the_database_has_no_more_to_do_for_a_live_check_in_a_large_pack(team):
    assert steps_of_the_last_check(team, 2000) < steps_of_the_last_check(team, 20) * 2


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_case_alone_becomes_the_task_that_it_becomes_in_the_whole_draft(sample, team, author):
    pack = import_pack(team, author, files_of(sample), "p")
    tasks = list(format_of(pack).compile_tasks(read_tree(pack)))
    rows = Case.objects.filter(pack=pack).order_by("input_set__position", "position")
    assert [alone for row in rows for alone in format_of(pack).compile_tasks(read_alone(row))] == tasks


def test_what_keeps_a_case_from_being_compiled_may_stand_around_it(draft):
    case = draft.cases.first()
    challenge = draft.challenges.get(key=case.challenge_key)
    assert obstacles_to(case) == []
    rule = Rule("x.E001", "Wrong.", hint="Right it.")
    for holder in (challenge, draft):
        holder.findings = [stored(rule.at(()))]
        holder.save()
    assert [holder for holder, _ in obstacles_to(Case.objects.get(pk=case.pk))] == [draft, challenge]


def test_cases_of_one_position_stand_in_the_order_in_which_they_were_made(team):
    draft = grid_draft(team, rows_of(3))
    rows = list(Case.objects.filter(pack=draft).order_by("pk"))
    Case.objects.filter(pack=draft).update(position=4)
    for row in rows:
        row.position = 4
    assert [address_of(row).indices[-1] for row in rows] == [0, 1, 2]


def test_cases_are_read_in_the_order_of_their_places_at_once_or_as_they_are_wanted(team):
    draft = grid_draft(team, rows_of(3))
    for place, row in enumerate(Case.objects.filter(pack=draft).order_by("-pk")):
        Case.objects.filter(pk=row.pk).update(position=place)
    wanted = [row.key for row in Case.objects.filter(pack=draft).order_by("-pk")]
    (cases,) = all_cases(format_of(draft), draft).values()
    assert [case.key for case in cases] == wanted
    walked = read_tree(draft, walks=True).input_sets[0].cases
    assert [case.key for case in walked[1:]] == wanted[1:]
    assert walked[0].key == wanted[0]
