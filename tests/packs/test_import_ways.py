"""Packs of our own, through every way in, out, and in again."""

import pytest

from packs.formats import adapter_of
from packs.formats.archives import read_path
from packs.mirror import read_tree
from tests.corpora import ROOT
from tests.packs.import_ways import WAYS, export, import_again, rows_of

BASES = ROOT / "tests" / "fixtures" / "challenge_pack" / "bases"
SAMPLES = ROOT / "packs" / "samples"
PACKS = [*sorted(BASES.glob("*.yaml")), *sorted(SAMPLES.iterdir())]
each_pack = pytest.mark.parametrize("path", PACKS, ids=lambda path: path.stem)


@each_pack
def test_page_api_and_command_make_the_same_rows(db, path):
    made = {way: rows_of(bring_in(path)) for way, bring_in in WAYS.items()}
    assert made["page"]["cases"] or made["page"]["challenges"]
    assert made["api"] == made["page"]
    assert made["command"] == made["page"]


@each_pack
def test_what_is_exported_comes_back_as_the_same_bytes_and_rows(db, tmp_path, path):
    pack = WAYS["command"](path)
    # A pack that states no key of its own is called as its folder.
    files = export(pack, tmp_path / pack.slug)
    again, files_again = import_again(pack, tmp_path / pack.slug)
    assert files_again == files
    assert rows_of(again) == rows_of(pack)


@each_pack
def test_the_exported_files_hold_the_pack_that_was_imported(db, tmp_path, path):
    pack = WAYS["command"](path)
    adapter = adapter_of(pack.format)
    exported, found = adapter.load(export(pack, tmp_path / "out"))
    assert exported == adapter.load(read_path(path)[0])[0] == read_tree(pack)
    assert not [finding for finding in found if finding.is_error]
