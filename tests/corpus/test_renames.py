"""Everything that the packs of the corpus declare gets another name, and its own again."""

import pytest

from packs.formats import adapter_of, recognise
from packs.formats.archives import read_path
from tests.corpora import corpus_folder
from tests.packs.formats.names.ways import there_and_back

FOLDERS = [corpus_folder(name) for name in ("challenge-pack", "agentv", "benchmark-pack", "task-suite")]


def packs():
    for folder in FOLDERS:
        for path in sorted(folder.iterdir()):
            files = dict(read_path(path)[0]) if path.is_dir() or path.suffix == ".yaml" else {}
            if files and "vectors" not in path.name and recognise(files):
                yield pytest.param(files, id=f"{folder.name}-{path.name}")


@pytest.mark.parametrize("files", list(packs()))
def test_there_and_back(files):
    adapter = adapter_of(recognise(files))
    pack, _ = adapter.load(files)
    there_and_back(pack, compiles=not any(found.is_error for found in adapter.check(pack)))
