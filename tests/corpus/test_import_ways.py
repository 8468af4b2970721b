"""Every valid challenge pack of the corpus, through every way in, out, and in again."""

import pytest
import yaml

from packs.mirror import read_tree
from tests.corpora import corpus_folder
from tests.packs.import_ways import WAYS, export, import_again, rows_of

FILES = [path for path in sorted(corpus_folder("challenge-pack").glob("*.yaml")) if "vectors" not in path.name]
each_pack = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def manifest(content):
    """What a reader that knows nothing of the format sees, without mappings that hold nothing."""

    def told(value):
        if isinstance(value, dict):
            return {key: told(inner) for key, inner in value.items() if inner != {}}
        return [told(inner) for inner in value] if isinstance(value, list) else value

    return told(yaml.load(content, yaml.CSafeLoader))


@each_pack
def test_page_api_and_command_make_the_same_rows(db, path):
    made = {way: rows_of(bring_in(path)) for way, bring_in in WAYS.items()}
    assert made["page"]["challenges"]
    assert made["page"]["errors"] == 0
    assert made["api"] == made["page"]
    assert made["command"] == made["page"]


@each_pack
def test_export_import_and_export_again_give_the_same_bytes(db, tmp_path, path):
    pack = WAYS["page"](path)
    files = export(pack, tmp_path / "out")
    again, files_again = import_again(pack, tmp_path / "out")
    assert files_again == files
    assert read_tree(again) == read_tree(pack)


@each_pack
def test_the_exported_file_has_the_manifest_of_the_original(db, tmp_path, path):
    exported = export(WAYS["api"](path), tmp_path / "out")
    assert manifest(exported["pack.yaml"]) == manifest(path.read_bytes())
