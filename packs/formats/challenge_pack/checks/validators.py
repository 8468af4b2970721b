"""Rules about validators and post-execution checks (challenge-pack e, V6 to V20)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.evidence import FILE_PREFIX
from packs.formats.challenge_pack.values import SPEC, entries, evaluation_spec, repeated, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.kinds import KINDS
from packs.formats.kinds.settings import problems
from packs.formats.values import exact_text

KEY_REPEATED = Rule("challenge_pack.E512", "Two validators have the key {key!r}.", "Rename one of them.", "V7")
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
CHECK_KEY_REPEATED = Rule(
    "challenge_pack.E532", "Two post-execution checks have the key {key!r}.", "Rename one.", "V16"
)


def check_validators(pack: Document) -> Iterator[Finding]:
    """V7, V14, V19, V20 and the rules about configs."""
    spec = evaluation_spec(pack)
    declared = declared_checks(spec)
    for position, key in repeated(spec, "validators"):
        yield KEY_REPEATED.at((*SPEC, "validators", position, "key"), key=key)
    for position, validator in entries(spec, "validators"):
        path, target = (*SPEC, "validators", position), text(validator, "target")
        kind = exact_text(validator, "type")
        if target.startswith(FILE_PREFIX):
            yield from _check_file_target(target.removeprefix(FILE_PREFIX), kind, declared, (*path, "target"))
        if kind in KINDS and KINDS[kind].rule:
            yield from problems(kind, validator.get("config"), (*path, "config"))


def declared_checks(spec: Document) -> dict[str, str]:
    """The post-execution checks by key with their types; of two with one key the first."""
    declared: dict[str, str] = {}
    for _, check in entries(spec, "post_execution_checks"):
        if key := text(check, "key"):
            declared.setdefault(key, exact_text(check, "type"))
    return declared


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


def check_post_execution(pack: Document) -> Iterator[Finding]:
    """V16."""
    for position, key in repeated(evaluation_spec(pack), "post_execution_checks"):
        yield CHECK_KEY_REPEATED.at((*SPEC, "post_execution_checks", position, "key"), key=key)
