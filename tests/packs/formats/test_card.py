import pytest

from packs.formats import FORMATS, adapter_of


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_says_what_its_starter_asks_and_when_it_passes(name):
    adapter = adapter_of(name)
    card = adapter.card(adapter.starter("mine", "Mine").document)
    assert card.facts
    assert card.criteria


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_starter_is_valid_and_called_as_asked(name):
    adapter = adapter_of(name)
    pack = adapter.starter("mine", "Mine")
    assert list(adapter.check(pack)) == []
    assert adapter.title(pack.document) == "Mine"
    assert adapter.load(adapter.dump(pack)) == (pack, [])
