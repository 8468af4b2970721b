"""Rules about validators and post-execution checks (challenge-pack e, V6 to V20)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.checks.specification import SPEC
from packs.formats.challenge_pack.evidence import FILE_PREFIX, FORMS, is_reference
from packs.formats.challenge_pack.schema.spec import CHECK_TYPES
from packs.formats.challenge_pack.values import entries, evaluation_spec, number, one_of, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.kinds import KINDS, Expected, Target
from packs.formats.kinds.settings import problems
from packs.formats.values import exact_text

TOOL_CALLS = "tool_calls"

KEY_MISSING = Rule("challenge_pack.E511", "The validator has no key.", "Give it a short name of its own.", "V6")
KEY_REPEATED = Rule("challenge_pack.E512", "Two validators have the key {key!r}.", "Rename one of them.", "V7")
TYPE_UNKNOWN = Rule(
    "challenge_pack.E513", "The validator type {type!r} does not exist.", "Use one of: {allowed}.", "V8"
)
TARGET_MISSING = Rule(
    "challenge_pack.E514", "The validator has no target.", "Say what it looks at, such as final_output.", "V9"
)
TARGET_NOT_TOOL_CALLS = Rule(
    "challenge_pack.E515", "A tool_call_assertion looks at tool calls only.", "Write `target: tool_calls`.", "V9b"
)
TARGET_NO_REFERENCE = Rule(
    "challenge_pack.E516", "The target {reference!r} is not an evidence reference.", "Known forms: {forms}.", "V10"
)
EXPECTED_MISSING = Rule(
    "challenge_pack.E517",
    "The validator does not say what it compares with.",
    "Add `expected_from`, such as case.expectations.answer or literal:text.",
    "V11",
)
EXPECTED_NO_REFERENCE = Rule(
    "challenge_pack.E518",
    "{reference!r} in expected_from is not an evidence reference.",
    "Known forms: {forms}.",
    "V12",
)
EXPECTED_NOT_ALLOWED = Rule(
    "challenge_pack.E519", "A {type} takes no expected_from.", "Remove it; the config says what is expected.", "V12b"
)
TARGET_NO_FILE = Rule(
    "challenge_pack.E520",
    "A {type} looks at a captured file, not at {reference!r}.",
    "Write `file:` and the key of a post-execution check.",
    "V13",
)
CHECK_UNKNOWN = Rule(
    "challenge_pack.E521", "No post-execution check has the key {key!r}.", "Declare it, or fix the target.", "V14"
)
CODE_CHECK_UNKNOWN = Rule(
    "challenge_pack.E522",
    "The code_execution needs a post-execution check with the key {key!r}, and none is declared.",
    "Declare a check of type file_capture with this key.",
    "V19",
)
CODE_CHECK_NO_CAPTURE = Rule(
    "challenge_pack.E523",
    "The check {key!r} lists a directory; a code_execution needs a captured file.",
    "Give the check the type file_capture, or name another one.",
    "V19",
)
POSTCONDITION_WITHOUT_CHECKS = Rule(
    "challenge_pack.E524",
    "The postcondition looks at {key!r}, but the pack has no post-execution checks.",
    "Declare a check with this key.",
    "V20",
)
CHECK_KEY_MISSING = Rule(
    "challenge_pack.E531", "The post-execution check has no key.", "Give it the name that follows `file:`.", "V15"
)
CHECK_KEY_REPEATED = Rule(
    "challenge_pack.E532", "Two post-execution checks have the key {key!r}.", "Rename one.", "V16"
)
CHECK_TYPE_UNKNOWN = Rule(
    "challenge_pack.E533", "The check type {type!r} does not exist.", "Use one of: {allowed}.", "V17"
)
CHECK_PATH_MISSING = Rule(
    "challenge_pack.E534", "The post-execution check has no path.", "Write which file or directory is taken.", "V17"
)
CHECK_SIZE_NEGATIVE = Rule(
    "challenge_pack.E535", "`max_size_bytes` cannot be negative.", "Write 0 or nothing for the default of 1 MiB.", "V18"
)


def check_validators(pack: Document) -> Iterator[Finding]:
    """V6 to V14, V19, V20 and the rules about configs."""
    spec, seen = evaluation_spec(pack), set[str]()
    declared = declared_checks(spec)
    for position, validator in entries(spec, "validators"):
        path, key = (*SPEC, "validators", position), text(validator, "key")
        if not key:
            yield KEY_MISSING.at((*path, "key"))
        elif key in seen:
            yield KEY_REPEATED.at((*path, "key"), key=key)
        seen.add(key)
        kind = exact_text(validator, "type")
        if kind not in KINDS:
            yield TYPE_UNKNOWN.at((*path, "type"), type=kind, allowed=one_of(KINDS))
        yield from _check_target(validator, kind, declared, (*path, "target"))
        yield from _check_expected(validator, kind, (*path, "expected_from"))
        if kind in KINDS and KINDS[kind].rule:
            yield from problems(kind, validator.get("config"), (*path, "config"))


def declared_checks(spec: Document) -> dict[str, str]:
    """The post-execution checks by key with their types; of two with one key the first."""
    declared: dict[str, str] = {}
    for _, check in entries(spec, "post_execution_checks"):
        if key := text(check, "key"):
            declared.setdefault(key, exact_text(check, "type"))
    return declared


def _check_target(validator: Document, kind: str, declared: dict[str, str], path: Path) -> Iterator[Finding]:
    target = text(validator, "target")
    wanted = KINDS[kind].target if kind in KINDS else Target.EVIDENCE
    if not target:
        yield TARGET_MISSING.at(path)
    elif wanted is Target.TOOL_CALLS:
        if target != TOOL_CALLS:
            yield TARGET_NOT_TOOL_CALLS.at(path)
    elif wanted is Target.FILE and not target.startswith(FILE_PREFIX):
        yield TARGET_NO_FILE.at(path, type=kind, reference=target)
    elif not is_reference(target):
        yield TARGET_NO_REFERENCE.at(path, reference=target, forms=FORMS)
    elif target.startswith(FILE_PREFIX):
        yield from _check_file_target(target.removeprefix(FILE_PREFIX), kind, declared, path)


def _check_file_target(key: str, kind: str, declared: dict[str, str], path: Path) -> Iterator[Finding]:
    """V14, V19 and V20: while no check is declared at all, only two types insist on one."""
    if key in declared:
        if kind == "code_execution" and declared[key] != "file_capture":
            yield CODE_CHECK_NO_CAPTURE.at(path, key=key)
    elif kind == "code_execution":
        yield CODE_CHECK_UNKNOWN.at(path, key=key)
    elif declared:
        yield CHECK_UNKNOWN.at(path, key=key)
    elif kind == "postcondition":
        yield POSTCONDITION_WITHOUT_CHECKS.at(path, key=key)


def _check_expected(validator: Document, kind: str, path: Path) -> Iterator[Finding]:
    expected = text(validator, "expected_from")
    wanted = KINDS[kind].expected if kind in KINDS else Expected.NEEDED
    if wanted is Expected.REFUSED:
        if expected:
            yield EXPECTED_NOT_ALLOWED.at(path, type=kind)
    elif wanted is Expected.IGNORED:
        return
    elif not expected:
        yield EXPECTED_MISSING.at(path)
    elif not is_reference(expected):
        yield EXPECTED_NO_REFERENCE.at(path, reference=expected, forms=FORMS)


def check_post_execution(pack: Document) -> Iterator[Finding]:
    """V15 to V18."""
    seen: set[str] = set()
    for position, check in entries(evaluation_spec(pack), "post_execution_checks"):
        path, key, kind = (*SPEC, "post_execution_checks", position), text(check, "key"), exact_text(check, "type")
        if not key:
            yield CHECK_KEY_MISSING.at((*path, "key"))
        elif key in seen:
            yield CHECK_KEY_REPEATED.at((*path, "key"), key=key)
        seen.add(key)
        if kind not in CHECK_TYPES:
            yield CHECK_TYPE_UNKNOWN.at((*path, "type"), type=kind, allowed=one_of(CHECK_TYPES))
        if not text(check, "path"):
            yield CHECK_PATH_MISSING.at((*path, "path"))
        if (number(check, "max_size_bytes") or 0) < 0:
            yield CHECK_SIZE_NEGATIVE.at((*path, "max_size_bytes"))
