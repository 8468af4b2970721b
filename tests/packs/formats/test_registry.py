import sys

import pytest

from packs.formats.registry import Registry


@pytest.fixture
def registry(monkeypatch):
    monkeypatch.delitem(sys.modules, "email.mime.audio", raising=False)
    return Registry("email.mime", {"sound": "audio:MIMEAudio", "module": "audio", "gone": "nowhere"})


def test_names_are_known_without_importing_anything(registry):
    assert (list(registry), len(registry), "sound" in registry, "smell" in registry) == (
        ["sound", "module", "gone"],
        3,
        True,
        False,
    )
    assert "email.mime.audio" not in sys.modules


def test_an_entry_is_imported_when_it_is_asked_for(registry):
    assert registry["sound"].__name__ == "MIMEAudio"
    assert registry["module"].MIMEAudio is registry["sound"]


def test_an_unknown_name_is_a_key_error_and_one_that_stands_nowhere_an_error(registry):
    assert registry.get("smell") is None
    with pytest.raises(KeyError):
        registry["smell"]
    with pytest.raises((ImportError, AttributeError)):
        registry["gone"]
