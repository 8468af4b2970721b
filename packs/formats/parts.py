"""The modules of a format, each imported when it is first used, so that a check starts without the rest."""

from collections.abc import Callable
from typing import Any

from packs.formats.later import names_of

# Which names of `packs.formats.adapter.Adapter` each module has.
_MODULES = {
    "addresses": "locate path_of place",
    "cards": "card",
    "checks": "PACK_WIDE check check_node",
    "compiler": "compile_tasks",
    "failures": "FAILURES_IN case_from_failure",
    "lens": "load_node",
    "particulars": (
        "CHECKS_AT EVALUATION_POINTER GATES_POINTER KEY_POINTERS SHARED_POINTERS TITLE_POINTER VERSION_POINTER "
        "check_artifacts labels lineage stored_files title"
    ),
    "reader": "NAME identify load recognises version_number",
    "renaming": "REFERRERS ROOMS is_fixed renamed",
    "schema": "SCHEMA",
    "starters": "FIRST_CHECKS FIXTURES identified new_document starter",
    "stored": "stored_document",
    "writer": "dump dump_node",
}
PLACES = {name: module for module, names in _MODULES.items() for name in names.split()}


def parts_of(package: str, plain: str = "", **places: str) -> Callable[[str], Any]:
    """The `__getattr__` of a format's package.

    The names of `plain` are those of `packs.formats.plain`; `places` are the modules of names that stand elsewhere in
    the package.
    """
    return names_of(package, PLACES | dict.fromkeys(plain.split(), ".plain") | places)
