"""Packs bound to real repositories over http: pulled, merged, pushed."""

import pytest

from packs import editing
from packs.editing import Change, EditRefused
from packs.exporting import export_draft
from packs.formats.archives import read_path
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.models import GitFolder
from packs.remotes import Folder, RemoteRefused
from packs.repositories import BRANCH, bind, fetch, outgoing, prepare, pull, push
from runs.models import Secret
from tests.corpora import ROOT
from tests.git_server import served

pytestmark = pytest.mark.django_db
SAMPLES = ROOT / "packs" / "samples"


@pytest.fixture
def server(tmp_path, settings):
    with served(tmp_path, ("ann", "let me in")) as found:
        settings.WORKSPACE_SOURCES = [found.address]
        yield found


@pytest.fixture
def bound(team, author, server):
    """Bind a draft made of a sample to the folder of a repository that holds these files."""
    secret = Secret(team=team, name="GIT")
    secret.set_value("let me in")
    secret.save()

    def make(sample, files=None, folder="evals/pack"):
        found, _ = read_path(SAMPLES / sample)
        pack = import_pack(team, author, found, sample)
        around = {"README.md": b"not of the pack\n"}
        held = {f"{folder}/{path}": data for path, data in (files or {}).items()}
        url = server.make("evals", {**around, **held})
        return bind(pack, Folder(url, "main", folder, "ann", "GIT"))

    return make


def again(row):
    return GitFolder.objects.select_related("base", "fetched", "pack__team").get(pk=row.pk)


def first_case(row):
    return row.pack.cases.order_by("input_set__position", "position").first()


def write(row, author, kind, node, pointer, value):
    row.pack.refresh_from_db()
    editing.apply(row.pack, [Change(kind, node, pointer, value)], author)
    row.pack.refresh_from_db()


def in_folder(server, branch="main"):
    files, _ = server.at("evals", branch)
    return {path.removeprefix("evals/pack/"): data for path, data in files.items() if path.startswith("evals/")}


@pytest.mark.parametrize("sample", ["library-desk", "refund-desk", "reading-room", "parcel-quiz"])
def test_what_both_sides_changed_comes_together_and_untouched_files_keep_their_bytes(bound, server, author, sample):
    row = bound(sample)
    fetch(row)
    push(again(row), author, "The pack")
    given, _ = read_path(SAMPLES / sample)
    assert in_folder(server) == given
    assert server.at("evals")[0]["README.md"] == b"not of the pack\n"
    text = max((path for path in given if path.endswith((".md", ".py", ".txt"))), default="new.txt", key=len)
    server.push("evals", {f"evals/pack/{text}": b"theirs\r\n", "README.md": b"theirs\n"})
    row = again(row)
    case = first_case(row)
    write(row, author, NodeKind.CASE, case.pk, "/ours", "ours")
    with pytest.raises(RemoteRefused, match="Pull first"):
        push(row, author, "Too early")
    fetch(row)
    assert prepare(again(row)).merged.conflicts == ()
    pull(again(row), author, [])
    case.refresh_from_db()
    assert case.document["ours"] == "ours"
    assert export_draft(again(row).pack, preserve=True).files[text] == b"theirs\r\n"
    changed = outgoing(again(row))
    assert len(changed) == 1
    push(again(row), author, "Ours too")
    after = in_folder(server)
    assert after == {**given, text: b"theirs\r\n", **changed}
    assert server.at("evals")[0]["README.md"] == b"theirs\n"
    fetch(again(row))
    assert (again(row).is_behind, outgoing(again(row))) == (False, {})


QUIZ = "unit-conversion.yaml"


@pytest.fixture
def apart(bound, server, author):
    """A pack whose title both sides changed, and what is in the repository."""
    given, _ = read_path(SAMPLES / QUIZ)
    row = bound(QUIZ, given)
    fetch(row)
    pull(again(row), author, [])
    (name, data), *_ = given.items()
    server.push("evals", {f"evals/pack/{name}": data.replace(b"name: ", b"name: Their ", 1)})
    row = again(row)
    write(row, author, NodeKind.PACK, row.pack.pk, "/pack/name", "Our name")
    fetch(row)
    return again(row)


def title(row):
    row.pack.refresh_from_db()
    return row.pack.document["pack"]["name"]


def test_a_conflict_waits_for_a_choice_and_loses_neither_side(apart, author, server):
    (conflict,) = prepare(apart).merged.conflicts
    assert (conflict.conflict.label, conflict.conflict.values.ours) == ("pack.name", "Our name")
    with pytest.raises(EditRefused, match="to decide first"):
        pull(apart, author, [])
    assert title(again(apart)) == "Our name"
    pull(again(apart), author, [conflict.name], [conflict.name])
    assert title(again(apart)).startswith("Their ")
    apart.pack.refresh_from_db()
    editing.undo(apart.pack, author)
    assert title(again(apart)) == "Our name"
    push(again(apart), author, "Ours after all")
    assert b"name: Our name" in in_folder(server)[QUIZ]


def test_a_push_to_another_branch_leaves_the_own_one_alone(apart, author, server):
    (conflict,) = prepare(apart).merged.conflicts
    pull(apart, author, [conflict.name])
    before = in_folder(server)
    push(again(apart), author, "For review", "review/name")
    assert in_folder(server) == before
    assert b"Our name" in in_folder(server, "review/name")[QUIZ]
    assert outgoing(again(apart))


@pytest.mark.parametrize(("keeps", "expected"), [("draft", "Our name"), ("repository", "Unit conversion")])
def test_at_the_first_pull_somebody_says_which_side_is_the_pack(bound, author, keeps, expected):
    given, _ = read_path(SAMPLES / QUIZ)
    row = bound(QUIZ, given)
    write(row, author, NodeKind.PACK, row.pack.pk, "/pack/name", "Our name")
    fetch(row)
    pull(again(row), author, [], keeps=keeps)
    assert title(again(row)) == expected


def test_an_address_that_nobody_allowed_is_refused(team, author, server, settings):
    found, _ = read_path(SAMPLES / QUIZ)
    pack = import_pack(team, author, found, "quiz")
    for address in ("https://elsewhere.example/a.git", "/srv/x", "git://127.0.0.1/x"):
        with pytest.raises(RemoteRefused, match="may not use"):
            bind(pack, Folder(address, "main"))
    row = bind(pack, Folder(f"{server.address}/a.git", "main", secret="GONE"))
    with pytest.raises(RemoteRefused, match="no secret 'GONE'"):
        fetch(row)
    settings.WORKSPACE_SOURCES = []
    with pytest.raises(RemoteRefused, match="may not use"):
        fetch(row)


def test_names_of_branches():
    good = ["main", "feature/a-1", "v1.0", "a+b", "_x"]
    bad = ["", "-x", "/a", "a/", "a..b", "a//b", "a.lock", "a.lock/b", ".a", "a/.b", "a b", "a~1", "a:b", "a\n", "a."]
    assert [name for name in good if not BRANCH.fullmatch(name)] == []
    assert [name for name in bad if BRANCH.fullmatch(name)] == []


def test_another_address_forgets_what_was_known_of_the_former(apart):
    row = bind(apart.pack, Folder(apart.address, "main", "evals/pack", "other", "GIT"))
    assert row.commit == apart.commit
    assert bind(apart.pack, Folder(apart.address, "other")).base is None
