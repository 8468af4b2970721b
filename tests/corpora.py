"""Where the corpus of real packs and vectors is."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORPUS = Path(os.environ.get("PACKWRIGHT_CORPUS", ROOT / ".." / "shared" / "corpus")).resolve()


def corpus_folder(name: str) -> Path:
    """A folder of the corpus; the test or module is skipped, visibly, where the corpus is not at hand."""
    folder = CORPUS / name
    if not folder.is_dir():
        pytest.skip(f"no corpus at {folder}", allow_module_level=True)
    return folder
