from pathlib import Path

import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.parts import PLACES
from tests.runs.management.test_acts import imported

USE_EACH_FIRST = """
import os
from packs.formats import FORMATS, abilities, adapter_of
from packs.formats.parts import PLACES
from packs.formats.registry import Registry

registries = [value for value in vars(abilities).values() if isinstance(value, Registry)]
parts = {module: part for part, module in PLACES.items()}.values()
uses = [(adapter_of(name).__getattr__, part) for name in FORMATS for part in parts]
uses += [(registry.__getitem__, name) for registry in registries for name in registry]
for use, name in uses:
    if not os.fork():
        use(name)
        os._exit(0)
    assert not os.wait()[1], name
"""


@pytest.mark.parametrize("name", FORMATS)
def test_no_module_of_a_format_takes_the_place_of_one_of_its_names(name):
    """Importing a module puts it into its package, under its own name."""
    (folder,) = adapter_of(name).__path__
    assert sorted(set(PLACES) & {path.stem for path in Path(folder).iterdir()}) == []


def test_a_part_of_a_format_is_imported_when_it_is_used():
    modules = imported("from packs.formats import adapter_of\nadapter_of('challenge_pack').title({})")
    assert "packs.formats.challenge_pack.particulars" in modules
    assert sorted(modules & {"packs.formats.challenge_pack.checks", "packs.formats.challenge_pack.compiler"}) == []


def test_each_part_of_a_format_can_be_the_first_that_is_used():
    assert "packs.formats.agentv" in imported(USE_EACH_FIRST)


def test_a_format_has_nothing_beyond_its_names():
    with pytest.raises(AttributeError):
        _ = adapter_of("agentv").nothing_of_this_name
