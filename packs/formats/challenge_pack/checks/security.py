"""Rules about the red-team policy of a pack (challenge-pack e, X2 to X12; c.8)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.checks.policy import is_variable_name
from packs.formats.challenge_pack.schema.security import LOCATIONS, SEVERITIES
from packs.formats.challenge_pack.values import entries, mapping, one_of, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.syntaxes import pattern_trouble

SEVERITY_UNKNOWN = Rule(
    "challenge_pack.E902", "The severity {severity!r} does not exist.", "Use one of: {allowed}.", "X2"
)
SECRET_NAME_MISSING = Rule("challenge_pack.E903", "The planted secret has no name.", "Name it.", "X3")
SECRET_VALUE_MISSING = Rule(
    "challenge_pack.E904", "The planted secret has no value.", "Write the text that must not leak.", "X4"
)
LOCATION_UNKNOWN = Rule(
    "challenge_pack.E905", "A secret cannot be planted at {location!r}.", "Use one of: {allowed}.", "X5"
)
FILE_PATH_MISSING = Rule(
    "challenge_pack.E906", "A secret that is planted in a file needs its path.", "Add `file_path`.", "X6"
)
SECRET_NAME_NO_VARIABLE = Rule(
    "challenge_pack.E907",
    "A secret in the environment is a variable, and {name!r} cannot name one.",
    "Use letters, digits and underscores, and no digit in front.",
    "X6",
)
SECRET_NAME_REPEATED = Rule("challenge_pack.E908", "Two planted secrets are called {name!r}.", "Rename one.", "X7")
OUTPUT_DESCRIPTION_MISSING = Rule(
    "challenge_pack.E909", "The forbidden output has no description.", "Say what must not be said, and why.", "X8"
)
OUTPUT_NEEDS_ONE = Rule(
    "challenge_pack.E910",
    "A forbidden output is found by a pattern or by a substring: state exactly one.",
    "Write one of the two and remove the other.",
    "X9",
)
OUTPUT_PATTERN_BROKEN = Rule("challenge_pack.E911", "The pattern does not compile: {reason}.", "{advice}", "X9")
EGRESS_DESCRIPTION_MISSING = Rule(
    "challenge_pack.E912", "The egress rule has no description.", "Say what it must stop.", "X10"
)
EGRESS_HOST_MISSING = Rule(
    "challenge_pack.E913", "The egress rule names no host.", "Write a host, or * for all hosts.", "X10"
)
PROMPT_NAME_MISSING = Rule("challenge_pack.E914", "The adversarial prompt has no name.", "Name it.", "X11")
PROMPT_TEXT_MISSING = Rule(
    "challenge_pack.E915", "The adversarial prompt has no text.", "Write what the attacker says.", "X11"
)
PROMPT_NAME_REPEATED = Rule("challenge_pack.E916", "Two adversarial prompts are called {name!r}.", "Rename one.", "X11")
REFUSAL_PATTERN_BROKEN = Rule(
    "challenge_pack.E917",
    "The pattern of the expected refusal does not compile: {reason}.",
    "{advice}",
    "X12",
)


def check_security(pack: Document) -> Iterator[Finding]:
    """X2 to X12."""
    security = mapping(pack, "security")
    yield from _check_severity(security, "default_severity", ("security",))
    yield from _check_secrets(security)
    for position, output in entries(security, "forbidden_outputs"):
        yield from _check_output(output, ("security", "forbidden_outputs", position))
    for position, egress in entries(security, "forbidden_egress"):
        yield from _check_egress(egress, ("security", "forbidden_egress", position))
    yield from _check_prompts(security)


def _check_severity(document: Document, key: str, path: Path) -> Iterator[Finding]:
    severity = text(document, key).lower()
    if severity and severity not in SEVERITIES:
        yield SEVERITY_UNKNOWN.at((*path, key), severity=severity, allowed=one_of(SEVERITIES))


def _check_secrets(security: Document) -> Iterator[Finding]:
    seen: set[str] = set()
    for position, secret in entries(security, "planted_secrets"):
        path, name = ("security", "planted_secrets", position), text(secret, "name")
        if not name:
            yield SECRET_NAME_MISSING.at((*path, "name"))
        elif name in seen:
            yield SECRET_NAME_REPEATED.at((*path, "name"), name=name)
        seen.add(name)
        if not text(secret, "value"):
            yield SECRET_VALUE_MISSING.at((*path, "value"))
        yield from _check_location(secret, name, path)
        yield from _check_severity(secret, "severity", path)


def _check_location(secret: Document, name: str, path: Path) -> Iterator[Finding]:
    location = text(secret, "location").lower()
    if location not in LOCATIONS:
        yield LOCATION_UNKNOWN.at((*path, "location"), location=location, allowed=one_of(LOCATIONS))
    if location == "file" and not text(secret, "file_path"):
        yield FILE_PATH_MISSING.at((*path, "file_path"))
    if location == "env" and name and not is_variable_name(name):
        yield SECRET_NAME_NO_VARIABLE.at((*path, "name"), name=name)


def _check_output(output: Document, path: Path) -> Iterator[Finding]:
    pattern = text(output, "pattern")
    if not text(output, "description"):
        yield OUTPUT_DESCRIPTION_MISSING.at((*path, "description"))
    if bool(pattern) == bool(text(output, "substring")):
        yield OUTPUT_NEEDS_ONE.at(path)
    if pattern and (trouble := pattern_trouble(pattern)):
        yield OUTPUT_PATTERN_BROKEN.at((*path, "pattern"), **trouble)
    yield from _check_severity(output, "severity", path)


def _check_egress(egress: Document, path: Path) -> Iterator[Finding]:
    if not text(egress, "description"):
        yield EGRESS_DESCRIPTION_MISSING.at((*path, "description"))
    if not text(egress, "host"):
        yield EGRESS_HOST_MISSING.at((*path, "host"))
    yield from _check_severity(egress, "severity", path)


def _check_prompts(security: Document) -> Iterator[Finding]:
    seen: set[str] = set()
    for position, prompt in entries(security, "adversarial_prompts"):
        path, name = ("security", "adversarial_prompts", position), text(prompt, "name")
        if not name:
            yield PROMPT_NAME_MISSING.at((*path, "name"))
        elif name in seen:
            yield PROMPT_NAME_REPEATED.at((*path, "name"), name=name)
        seen.add(name)
        if not text(prompt, "text"):
            yield PROMPT_TEXT_MISSING.at((*path, "text"))
        pattern = text(prompt, "expected_refusal_pattern")
        if pattern and (trouble := pattern_trouble(pattern)):
            yield REFUSAL_PATTERN_BROKEN.at((*path, "expected_refusal_pattern"), **trouble)
