"""Kinds of grader that challenge packs name: one module a kind, with all that packs, forms and graders know of it."""

from collections.abc import Mapping

from packs.formats.kinds.contract import Expected, Gold, Kind, Settings, Syntax, Target
from packs.formats.registry import Registry

__all__ = ["KINDS", "Expected", "Gold", "Kind", "Settings", "Syntax", "Target"]

_NAMES = (
    "exact_match",
    "contains",
    "regex_match",
    "boolean_assert",
    "json_schema",
    "json_path_match",
    "fuzzy_match",
    "numeric_match",
    "normalized_match",
    "token_f1",
    "math_equivalence",
    "bleu_score",
    "rouge_score",
    "chrf_score",
    "file_content_match",
    "file_exists",
    "file_json_schema",
    "directory_structure",
    "postcondition",
    "code_execution",
    "tool_call_assertion",
)

KINDS: Mapping[str, Kind] = Registry(__name__, {name: f"{name}:KIND" for name in _NAMES})
