"""postcondition: a condition on a captured file, or on another value, holds after the run."""

from collections.abc import Iterator

from packs.formats.findings import Finding, Path, Rule
from packs.formats.kinds.contract import Expected, Kind, Settings, Target, settings
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import anything, choice, text
from packs.formats.syntaxes import pattern_trouble

CONDITIONS = {
    "exists": "The file exists",
    "not_exists": "The file does not exist",
    "contains": "Contains the text",
    "not_contains": "Does not contain the text",
    "regex_match": "Matches the pattern",
    "equals": "Equals the value",
    "json_path_match": "A JSON value equals the value",
}
EXISTENCE = ("exists", "not_exists")
OF_TEXT = ("contains", "not_contains", "regex_match")

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


def check(stated: Settings, path: Path) -> Iterator[Finding]:
    """A known condition, with the value and the JSON path that it needs."""
    condition = stated.get("condition", "")
    if not condition:
        yield CONDITION_MISSING.at((*path, "condition"), allowed=", ".join(CONDITIONS))
    elif condition not in CONDITIONS:
        yield CONDITION_UNKNOWN.at((*path, "condition"), condition=condition, allowed=", ".join(CONDITIONS))
    else:
        yield from _check_value(stated, condition, (*path, "value"))
        if condition == "json_path_match" and "json_path" not in stated:
            yield JSON_PATH_MISSING.at((*path, "json_path"))
        if condition != "json_path_match" and "json_path" in stated:
            yield JSON_PATH_NOT_ALLOWED.at((*path, "json_path"), condition=condition)


def _check_value(stated: Settings, condition: str, path: Path) -> Iterator[Finding]:
    value = stated.get("value")
    if condition in EXISTENCE:
        if "value" in stated:
            yield VALUE_NOT_ALLOWED.at(path, condition=condition)
    elif "value" not in stated:
        yield VALUE_MISSING.at(path, condition=condition)
    elif condition in OF_TEXT and not isinstance(value, str):
        yield VALUE_NO_TEXT.at(path, condition=condition)
    elif condition == "regex_match" and (trouble := pattern_trouble(str(value))):
        yield PATTERN_BROKEN.at(path, **trouble)


KIND = Kind(
    "Condition on a file",
    Purpose.FILE,
    "A condition holds for a captured file, or for a value in it.",
    "`$.status` in `result.json` is `done`",
    settings(
        {
            "condition": choice("Condition", CONDITIONS, trimmed=True),
            "value": anything("Value", "What the file is compared with.", widget="json"),
            "json_path": text("JSON path", examples=["$.status"], trimmed=True),
        },
        required=["condition"],
    ),
    rule="F13",
    check=check,
    own=frozenset({"condition"}),
    needs_settings=True,
    target=Target.FILE,
    expected=Expected.REFUSED,
    evidence="custom",
)
