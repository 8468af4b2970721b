"""Writing: canonical files (task-suite 11), byte-stable."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from packs.formats import yamlio
from packs.formats.document import Document, NodeKind, Pack
from packs.formats.structure.ordering import Order, arranged, each, each_value
from packs.formats.task_suite.catalogue import ENVELOPE, GRADERS, known_type
from packs.formats.task_suite.layout import CONFIG_FILE, FOLDER
from packs.formats.task_suite.reading import DIALECT, MAX_BYTES, bytes_trouble, size_trouble
from packs.formats.task_suite.suites import BUDGETS, GATES, SUITES

TASK_FIELDS = (
    "task_id",
    "suite",
    "description",
    "tags",
    "inputs",
    "environment",
    "trials",
    "grading",
    "graders",
    "tracked_metrics",
    "gates",
    "reference_solution",
)
_GATE_FIELDS = (
    "must_include_suites",
    "include_suites",
    "fail_on",
    "budgets",
    "suite_thresholds",
    "baseline",
    "blocking",
)
_MAX_STEM = 200
# Nothing grows more than 128 times when it is written: a bracket becomes a line with 64 levels of indentation.
_SURELY_SMALL = MAX_BYTES // 128

# A text can stand without quotes when it has only these characters ...
_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./@^()+' -]*(?<! )")
# ... and is nothing that a reader of YAML 1.1 or 1.2 takes for another type.
_TYPED = re.compile(
    r"""y|n|yes|no|on|off|true|false|null
    | 0b[01_]+ | 0o?[0-7_]+ | 0x[0-9a-f_]+ | [0-9][0-9_]*
    | (?:[0-9][0-9_]*)?\.[0-9_.]*(?:e[-+]?[0-9]+)? | [0-9]+e[-+]?[0-9]+ | \.(?:inf|nan)
    | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[t ].*)? | \.\.\..*""",
    re.IGNORECASE | re.VERBOSE,
)
_CONTROL = "\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff"
_NOT_LITERAL = re.compile(rf"\A[ \n]|[ ](?:\n|\Z)|\n\n\Z|[{_CONTROL}]")
_STYLE = yamlio.Style(
    is_plain=lambda text: bool(_PLAIN.fullmatch(text)) and not _TYPED.fullmatch(text),
    not_literal=_NOT_LITERAL,
    # Commands and patterns invite characters that mean something in YAML.
    quoted=frozenset({"commands", "checks", "patterns", "deny_patterns", "rubric_paths"}),
)
_TASK_STYLE = replace(
    _STYLE,
    flow=frozenset({(0, "", "tags"), (4, "tracked_metrics", "fields"), (4, "tracked_metrics", "metrics")}),
    apart=frozenset(TASK_FIELDS[4:]),
)


def dump(pack: Pack) -> dict[str, bytes]:
    """The canonical files of a pack, sorted by path; see `Adapter.dump`."""
    files: dict[str, bytes] = {file.path: file.content for file in pack.files}
    files |= {asset.path: asset.content for asset in pack.assets if asset.path and asset.content is not None}
    if pack.document:
        files[CONFIG_FILE] = dump_node(NodeKind.PACK, pack.document).encode()
    for input_set in pack.input_sets:
        for case in input_set.cases:
            name = _free_name(f"{FOLDER}/{input_set.key or 'golden'}/{_stem(case.key)}", files)
            files[name] = dump_node(NodeKind.CASE, case.document).encode()
    return dict(sorted(files.items()))


def _stem(key: str) -> str:
    """A file name for any key; the key itself where it is one that the format allows."""
    safe = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in key[:_MAX_STEM])
    return safe.lstrip(".") or "task"


def _free_name(stem: str, taken: Mapping[str, bytes]) -> str:
    name, number = f"{stem}.yaml", 2
    while name in taken:
        name, number = f"{stem}-{number}.yaml", number + 1
    return name


def dump_node(kind: NodeKind, document: Document) -> str:
    """The canonical text of one node's document; see `Adapter.dump_node`.

    Raises UnwritableError for what YAML and JSON cannot hold.
    """
    style = _TASK_STYLE if kind is NodeKind.CASE else _STYLE
    return yamlio.write(_ORDERS.get(kind, dict)(document), dialect=DIALECT, style=style)


def trouble_when_written(kind: NodeKind, document: Document) -> str:
    """Why the file of a document would be too deep or too large to be read again; empty when it would not.

    Raises UnwritableError for what YAML and JSON cannot hold.
    """
    trouble = size_trouble(document)
    if trouble or len(repr(document)) < _SURELY_SMALL:
        return trouble
    return bytes_trouble(len(dump_node(kind, document).encode()))


_SCORING = {"scoring": arranged(("weights", "pass_threshold"))}


def _order_grader(grader: Any) -> Any:
    if not isinstance(grader, dict):
        return grader
    name = grader.get("type")
    fields = GRADERS.get(known_type(name), ()) if isinstance(name, str) else ()
    return arranged((*ENVELOPE, *fields), _SCORING)(grader)


_TASK_PARTS: Mapping[str, Order] = {
    "environment": arranged(("sandbox", "reset", "budgets"), {"budgets": arranged(BUDGETS)}),
    "trials": arranged(("k", "metric")),
    "grading": arranged(("mode", "threshold")),
    "graders": each(_order_grader),
    "tracked_metrics": each(arranged(("type", "fields"))),
    "gates": arranged(GATES),
}
_GATE = arranged(_GATE_FIELDS, {"suite_thresholds": arranged(SUITES)})
_SUITE = arranged(
    ("path", "default_trials", "default_budgets", "required_in_ci_merge"),
    {"default_trials": arranged(("k", "metric")), "default_budgets": arranged(BUDGETS)},
)


def _order_task(document: Document) -> Document:
    own = [name for name in document if name not in TASK_FIELDS]
    names = (*TASK_FIELDS, *(name for name in own if not name.startswith("x-")))
    ordered: Document = arranged(names, _TASK_PARTS)(document)
    return ordered


def _order_config(document: Document) -> Document:
    suites: Order = lambda value: each_value(_SUITE)(arranged(SUITES)(value))  # noqa: E731
    gates: Order = lambda value: each_value(_GATE)(arranged(GATES)(value))  # noqa: E731
    ordered: Document = arranged(("x-slug", "x-name", "suites", "gates"), {"suites": suites, "gates": gates})(document)
    return ordered


_ORDERS: Mapping[NodeKind, Callable[[Document], Document]] = {
    NodeKind.CASE: _order_task,
    NodeKind.PACK: _order_config,
}
