"""Rules about the config of a postcondition (challenge-pack e, F13)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.checks.values import one_of, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.syntaxes import pattern_trouble

KEYS = {"condition": "text", "value": "value", "json_path": "text"}
EXISTENCE = ("exists", "not_exists")
OF_TEXT = ("contains", "not_contains", "regex_match")
OF_VALUE = ("json_path_match", "equals")
CONDITIONS = (*EXISTENCE, *OF_TEXT, *OF_VALUE)

CONDITION_MISSING = Rule("challenge_pack.E581", "The postcondition has no condition.", "Use one of: {allowed}.", "F13")
CONDITION_UNKNOWN = Rule(
    "challenge_pack.E582", "The condition {condition!r} does not exist.", "Use one of: {allowed}.", "F13"
)
VALUE_NOT_ALLOWED = Rule("challenge_pack.E583", "`{condition}` takes no value.", "Remove `value`.", "F13")
VALUE_MISSING = Rule("challenge_pack.E584", "`{condition}` needs a value.", "Add `value`.", "F13")
VALUE_NO_TEXT = Rule("challenge_pack.E585", "The value for `{condition}` must be text.", "Put it in quotes.", "F13")
PATTERN_BROKEN = Rule("challenge_pack.E586", "The pattern does not compile: {reason}.", "{advice}", "F13")
JSON_PATH_NOT_ALLOWED = Rule("challenge_pack.E587", "`{condition}` takes no json_path.", "Remove `json_path`.", "F13")
JSON_PATH_MISSING = Rule(
    "challenge_pack.E588", "`json_path_match` needs a json_path.", "Add one, such as $.status.", "F13"
)


def check_condition(config: Document, path: Path) -> Iterator[Finding]:
    """F13 for a config of the right shape."""
    condition = text(config, "condition")
    if not condition:
        yield CONDITION_MISSING.at((*path, "condition"), allowed=one_of(CONDITIONS))
    elif condition not in CONDITIONS:
        yield CONDITION_UNKNOWN.at((*path, "condition"), condition=condition, allowed=one_of(CONDITIONS))
    else:
        yield from _check_value(config, condition, (*path, "value"))
        yield from _check_json_path(config, condition, (*path, "json_path"))


def _check_value(config: Document, condition: str, path: Path) -> Iterator[Finding]:
    value = config.get("value")
    if condition in EXISTENCE:
        if "value" in config:
            yield VALUE_NOT_ALLOWED.at(path, condition=condition)
    elif "value" not in config:
        yield VALUE_MISSING.at(path, condition=condition)
    elif condition in OF_TEXT and not isinstance(value, str):
        yield VALUE_NO_TEXT.at(path, condition=condition)
    elif condition == "regex_match" and (trouble := pattern_trouble(str(value))):
        yield PATTERN_BROKEN.at(path, **trouble)


def _check_json_path(config: Document, condition: str, path: Path) -> Iterator[Finding]:
    json_path = text(config, "json_path")
    if condition == "json_path_match":
        if not json_path:
            yield JSON_PATH_MISSING.at(path)
    elif json_path:
        yield JSON_PATH_NOT_ALLOWED.at(path, condition=condition)
