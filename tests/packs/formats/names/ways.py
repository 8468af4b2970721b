"""What packs declare, and what must hold when any of it gets another name and its old one again."""

import json
import re
from collections import Counter

from packs.formats import adapter_of
from packs.formats.document import NodeKind
from packs.formats.names import homes_of
from packs.formats.names.renames import RenameRefused, rename
from tests.packs.formats.comparing.edited import said

# Few things of each sort say as much as all of a large pack.
MANY = 3
SIGN = "9zz"
SECRET = re.compile("pw-[0-9a-f]{40}")


def declared(pack, most=MANY):
    """What a pack declares: what it is, its name, and the input set of a case."""
    adapter = adapter_of(pack.format)
    nodes = {NodeKind.CHALLENGE: pack.challenges, NodeKind.ASSET: pack.assets, NodeKind.INPUT_SET: pack.input_sets}
    for kind, found in nodes.items():
        keys = Counter(node.key for node in found)
        yield from [(kind, key, "") for key in keys if keys[key] == 1 and kind in adapter.KEY_POINTERS][:most]
    for found in pack.input_sets[:most]:
        keys = Counter(case.key for case in found.cases)
        yield from [(NodeKind.CASE, key, found.key) for key in keys if keys[key] == 1][:most]
    names = {}
    for address, document in pack.nodes():
        for home in homes_of(adapter.SCHEMA.get(address.kind, {})):
            names.setdefault(home.name, {}).update(dict.fromkeys(home.names(document)))
    for sort, found in names.items():
        yield from [(sort, name, "") for name in list(found)[:most]]


def other(what, name):
    """A name that nothing has, and that sorts like the old one."""
    folder, slash, base = name.rpartition("/")
    stem, dot, ending = base.partition(".") if what in (NodeKind.ASSET, NodeKind.INPUT_SET) else (base, "", "")
    return f"{folder}{slash}{stem}{SIGN}{dot}{ending}"


def findings(pack):
    return sorted(
        (found.code, str(found.path).replace(SIGN, ""), found.message.replace(SIGN, ""))
        for found in adapter_of(pack.format).check(pack)
    )


def tasks(pack):
    """The tasks, without the values of secrets, which are made of the names of tasks."""
    return [
        SECRET.sub("", json.dumps(task.as_dict(), sort_keys=True).replace(SIGN, ""))
        for task in adapter_of(pack.format).compile_tasks(pack)
    ]


def renamed_or_none(pack, what, name, new, input_set):
    """The pack after a rename; None where the format fixes the name, or where it means two things."""
    try:
        return rename(adapter_of(pack.format), pack, what, name, new, input_set)
    except RenameRefused as refused:
        if refused.code in ("name_is_fixed", "name_is_ambiguous", "bad_name"):
            return None
        raise


def there_and_back(pack, *, compiles=True):
    """Rename everything that a pack declares, and back; gives how many places followed."""
    adapter, places = adapter_of(pack.format), Counter()
    for what, name, input_set in declared(pack):
        new = other(what, name)
        found = renamed_or_none(pack, what, name, new, input_set)
        if found is None:
            continue
        assert said(found.pack) != said(pack)
        assert findings(found.pack) == findings(pack), (what, name)
        if compiles:
            assert tasks(found.pack) == tasks(pack), (what, name)
        back = rename(adapter, found.pack, what, new, name, input_set)
        assert said(back.pack) == said(pack), (what, name)
        assert back.places == found.places
        places[what] += found.places
    return places
