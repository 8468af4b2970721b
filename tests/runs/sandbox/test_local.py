import tempfile
from pathlib import Path

import pytest

from runs.sandbox import SANDBOXES, local
from runs.sandbox.contract import Room, SandboxUnavailable

PAGE = Path(__file__).parents[3] / "docs" / "sandboxes.md"


def test_a_machine_without_room_is_unavailable_not_a_failed_program(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(SandboxUnavailable), local.open_workspace(Room()):
        pass


def test_every_kind_is_documented():
    text = PAGE.read_text()
    assert [name for name in SANDBOXES if f"| `{name}` |" not in text] == []
