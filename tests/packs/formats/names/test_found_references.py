"""Fields that name something, found by what the checks say and not by what the schemas state.

Each text of the samples is changed to a name that nothing has. Where a check then misses what is named, the field
must have a picker, and follow a rename.
"""

import re
from dataclasses import replace

import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.checking import check_files
from packs.formats.findings import render_path, to_pointer
from packs.formats.fixing import node_at
from packs.formats.index import TreeIndex
from packs.formats.schema.picks import patterns_of
from packs.formats.structure.model import for_forms, schema_at, variants_of
from tests.packs.fine.generated import bases, part_at, places

# How checks say that nothing has a name.
MISSING = re.compile(
    r"There (?:is|are) no (?!\w+ type|operator|key|field|suite|gate|budget)|^No .* (?:has the key|is called)"
    r"|is not a file or folder of the pack|is not a version asset|^The case belongs to"
)
UNKNOWN = "never-heard-of"


def changed(value, path, new):
    if not path:
        return new
    inner = changed(value[path[0]], path[1:], new)
    if isinstance(value, dict):
        return {**value, path[0]: inner}
    return [inner if index == path[0] else item for index, item in enumerate(value)]


def spelled(text):
    """A name that nothing has, which looks like a text that names something."""
    words = re.findall(r"[\w-]+", text)
    if len(text) > 120 or not words:
        return
    yield text.replace(words[-1] if "." not in text else words[-2] if len(words) > 1 else words[-1], UNKNOWN)
    yield UNKNOWN


def missed(adapter, index, pack, address, document):
    node = replace(node_at(pack, address), document=document)
    return {
        (finding.code, finding.path)
        for finding in adapter.check_node(index, node)
        if MISSING.search(finding.message) and UNKNOWN in finding.message
    }


@pytest.mark.parametrize("name", FORMATS)
def test_what_checks_miss_by_name_is_picked(name):
    adapter, without, found = adapter_of(name), set(), set()
    for files in bases()[name]:
        pack = check_files(files, name).pack
        index = TreeIndex(pack)
        for address, document in pack.nodes():
            for path in places(document):
                text = part_at(document, path)
                if not isinstance(text, str):
                    continue
                for other in spelled(text):
                    if missed(adapter, index, pack, address, changed(document, path, other)):
                        schema = schema_at(for_forms(adapter.SCHEMA[address.kind]), document, to_pointer(path))
                        field = f"{address.kind}: {re.sub('[0-9]+', '0', render_path(path))}"
                        found.add(field)
                        parts = (schema, *variants_of(schema))
                        # Collectors are those of the format alone.
                        if not any(map(patterns_of, parts)) and path[-1] != "collector":
                            without.add(field)
                        break
    assert sorted(without) == []
    assert bool(found) == bool(adapter.REFERRERS)
