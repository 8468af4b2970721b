"""Whatever the check calls fine lives through everything, from files, by commands and in rows; whatever it does not is
still read, shown and written without an exception."""

import io
import tempfile
from collections import Counter
from pathlib import Path

import orjson
import pytest
from django.db import transaction
from hypothesis import HealthCheck, event, given, settings

from packs import editing
from packs.editing import EditRefused
from packs.exporting import export_draft
from packs.formats import FORMATS, adapter_of
from packs.formats.archives import write_zip
from packs.formats.checking import Checked, check_files
from packs.formats.command import main
from packs.formats.findings import has_errors
from packs.formats.terminal import FINDINGS, FINE
from packs.importing import ImportRefused, import_pack
from packs.mirror import read_tree
from packs.publish import PublishRefused, publish
from tests.drawing import drawn
from tests.lives import live_in_files, live_in_rows, live_on
from tests.packs.fine.generated import bases, edits, packs

pytestmark = pytest.mark.long

IN_FILES, BY_COMMAND, IN_ROWS, BY_EDITS = 150, 30, 40, 50
each_format = pytest.mark.parametrize("name", FORMATS)


def tried(strategy, count, act):
    """How many generated packs `act` called what; of each sort there must be enough for the test to say something."""
    counted = Counter()

    @settings(max_examples=drawn(count), deadline=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def once(given_one):
        sort = act(given_one)
        counted[sort] += 1
        event(sort)

    once()
    total = sum(counted.values())
    assert counted["fine"] >= total / 10, counted
    assert total - counted["fine"] >= total / 10, counted


def sort_of(checked):
    """What a check says of a pack, in a word."""
    return "fine" if checked.is_fine else "not read" if checked.pack is None else "findings"


@each_format
def test_what_is_fine_lives_in_files(name):
    def act(files):
        checked = check_files(files)
        live_in_files(files)
        if checked.pack is not None:
            assert adapter_of(checked.format).card(checked.pack.document)
        return sort_of(checked)

    tried(packs(name), IN_FILES, act)


def run(*argv):
    """Exit code and JSON of a command."""
    out, err = io.StringIO(), io.StringIO()
    code = main([*map(str, argv), "--json"], out, err)
    assert (code in (FINE, FINDINGS), err.getvalue()) == (True, "")
    return code, orjson.loads(out.getvalue())


@each_format
def test_what_is_fine_lives_by_commands(name):
    def act(files):
        with tempfile.TemporaryDirectory() as folder:
            path, out = Path(folder, "pack.zip"), Path(folder, "out")
            path.write_bytes(write_zip(files))
            code, said = run("check", path)
            (result,) = said["results"]
            assert (code == FINE) is result["fine"]
            compiled, stored = run("compile", path), run("stored", path)
            assert (compiled[0] == FINE, stored[0] == FINE) == (result["valid"], result["valid"])
            if not result["fine"]:
                return "not fine"
            assert run("fmt", path, "-o", out)[0] == FINE
            assert run("check", out)[0] == FINE
            assert (run("compile", out), run("stored", out)) == (compiled, stored)
            assert run("fmt", out, "--check")[0] == FINE
            return "fine"

    tried(packs(name), BY_COMMAND, act)


def undone(act):
    """The same act, of which nothing stays in the database."""

    def done(*given_ones):
        with transaction.atomic():
            sort = act(*given_ones)
            transaction.set_rollback(True)
        return sort

    return done


@each_format
def test_what_packs_are_made_from_lives_in_rows(team, name):
    for at, files in enumerate(bases()[name]):
        live_in_rows(team, None, files, f"pack-{at}.zip")


@each_format
def test_what_is_fine_lives_in_rows(team, name):
    @undone
    def act(files):
        if check_files(files).is_fine:
            live_in_rows(team, None, files)
            return "fine"
        try:
            draft = import_pack(team, None, files, "pack.zip")
        except ImportRefused:
            return "refused"
        assert export_draft(draft).files
        return "findings"

    tried(packs(name), IN_ROWS, act)


def rows_of(draft):
    """The rows of a draft whose documents have a schema."""
    rows = [draft, *draft.assets.all(), *draft.challenges.all(), *draft.input_sets.all(), *draft.cases.all()]
    return [row for row in rows if row.kind in adapter_of(draft.format).SCHEMA]


@each_format
def test_what_is_fine_after_edits_lives_on(team, name):
    drafts = [import_pack(team, None, files, "pack.zip", slug=f"pack-{at}") for at, files in enumerate(bases()[name])]

    @undone
    def act(chosen):
        base, changes = chosen
        draft = drafts[base]
        draft.refresh_from_db()
        for at, document in changes:
            row = rows_of(draft)[at]
            try:
                editing.replace_document(draft, row.kind, row.pk, document, None)
            except EditRefused:
                return "refused"
        assert export_draft(draft).files
        tree = read_tree(draft)
        content = list(adapter_of(name).check(tree))
        is_fine = Checked(name, tree, content, content).is_fine
        editing.recheck(draft)
        assert bool(draft.problem_errors) is has_errors(content)
        if not is_fine:
            with pytest.raises(PublishRefused):
                publish(draft, None)
            return "findings"
        live_on(draft, None)
        return "fine"

    tried(edits(name), BY_EDITS, act)
