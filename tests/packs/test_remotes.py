import pytest

from packs.remotes import RemoteRefused, remote


def test_a_studio_that_starts_no_programs_says_so(monkeypatch):
    monkeypatch.setattr("packs.remotes._remotes", [])
    with pytest.raises(RemoteRefused, match="cannot run git"):
        remote()
