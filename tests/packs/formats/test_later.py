import sys

import pytest

from packs.formats.later import Later


def test_a_module_is_imported_when_it_is_first_used(monkeypatch):
    monkeypatch.delitem(sys.modules, "email.mime.image", raising=False)
    module = Later("email.mime.image")
    assert "email.mime.image" not in sys.modules
    assert module.MIMEImage is sys.modules["email.mime.image"].MIMEImage


def test_what_a_module_does_not_have_is_an_attribute_error():
    with pytest.raises(AttributeError):
        _ = Later("email").nothing_of_this_name
