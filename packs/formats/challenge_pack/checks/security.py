"""Rules about the red-team policy of a pack (challenge-pack e, X2 to X12; c.8)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.values import entries, mapping, repeated, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.syntaxes import pattern_trouble

SECRET_NAME_REPEATED = Rule("challenge_pack.E908", "Two planted secrets are called {name!r}.", "Rename one.", "X7")
OUTPUT_PATTERN_BROKEN = Rule("challenge_pack.E911", "The pattern does not compile: {reason}.", "{advice}", "X9")
PROMPT_NAME_REPEATED = Rule("challenge_pack.E916", "Two adversarial prompts are called {name!r}.", "Rename one.", "X11")
REFUSAL_PATTERN_BROKEN = Rule(
    "challenge_pack.E917",
    "The pattern of the expected refusal does not compile: {reason}.",
    "{advice}",
    "X12",
)


def check_security(pack: Document) -> Iterator[Finding]:
    """X7, X9, X11 and X12: names that stand twice, and patterns that do not compile."""
    security = mapping(pack, "security")
    for position, name in repeated(security, "planted_secrets", "name"):
        yield SECRET_NAME_REPEATED.at(("security", "planted_secrets", position, "name"), name=name)
    for position, name in repeated(security, "adversarial_prompts", "name"):
        yield PROMPT_NAME_REPEATED.at(("security", "adversarial_prompts", position, "name"), name=name)
    for field, name, rule in _PATTERNS:
        for position, item in entries(security, field):
            if (pattern := text(item, name)) and (trouble := pattern_trouble(pattern)):
                yield rule.at(("security", field, position, name), **trouble)


_PATTERNS = (
    ("forbidden_outputs", "pattern", OUTPUT_PATTERN_BROKEN),
    ("adversarial_prompts", "expected_refusal_pattern", REFUSAL_PATTERN_BROKEN),
)
