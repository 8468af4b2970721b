"""Structure (agentv I): what AgentV's checks refuse, and what the schema asks for besides."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from packs.formats.agentv.kinds import kind_of
from packs.formats.agentv.schema import SCHEMA
from packs.formats.agentv.schema.assertions import COMMON, TAIL
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Path, Rule
from packs.formats.structure import Structure
from packs.formats.structure.relaxing import rule_names

_SILENT = "AgentV does not report this"
WRONG_TYPE = Rule(
    "agentv.W321",
    "{name} must be {expected}; this is {found}.",
    hint="Give {expected} here. " + _SILENT + "; it leaves the value out, or reads it as something else.",
)
NOT_LISTED = Rule(
    "agentv.W322",
    "{name} does not take {found}.",
    hint="Use one of: {known}. " + _SILENT + ".",
)
OUT_OF_RANGE = Rule(
    "agentv.W323",
    "{name} must be {expected}; this is {found}.",
    hint="Change the value. " + _SILENT + ".",
)
MISSING = Rule("agentv.W324", "{name} is missing.", hint="Add {name}. " + _SILENT + ".")

NO_TESTS_KEY = Rule(
    "agentv.E108", "The suite has no `tests`.", hint="Add a list of tests, or the path of a file of tests.", rule="S08"
)
BAD_SHARED_INPUT = Rule(
    "agentv.E109", "The input must be text or a list of messages.", hint="Write text in quotes.", rule="S09"
)
NO_MAPPING = Rule("agentv.E113", "A test is a mapping of fields.", hint="Write `id`, `input` and so on.", rule="S13")
NO_ID = Rule("agentv.E116", "A test needs an id.", hint="Write text; put numbers in quotes.", rule="S16")
BLANK_CRITERIA = Rule(
    "agentv.E117", "The criteria are empty.", hint="Say what a good answer is, or remove the field.", rule="S17"
)
NO_INPUT = Rule("agentv.E118", "The test has no input.", hint="Write what the agent is asked.", rule="S18")
BAD_INPUT = Rule(
    "agentv.E119", "The input must be text or a list of messages.", hint="Write text in quotes.", rule="S19"
)
BAD_EXPECTED = Rule(
    "agentv.E120",
    "The expected output must be {expected}; this is {found}.",
    hint="Put it in quotes to make it text.",
    rule="S20",
)
NO_MESSAGE = Rule(
    "agentv.E121", "A message must be a mapping.", hint="Write `role` and `content`, as in {{role: user}}.", rule="S21"
)
UNKNOWN_ROLE = Rule(
    "agentv.E122",
    "The role of a message must be system, user or assistant; this is {found}.",
    hint="Use one of the three.",
    rule="S22",
)
NO_CONTENT = Rule(
    "agentv.E123",
    "The message has no content that can be read.",
    hint="Write a text, a mapping, or a list of texts and blocks.",
    rule="S23",
)
BAD_PART = Rule("agentv.E124", "A part of a message must be text or a block.", hint="Put it in quotes.", rule="S24")
NO_BLOCK_TYPE = Rule(
    "agentv.E125", "The block does not say its type.", hint="Add `type: text` or `type: file`.", rule="S25"
)
NO_TEXT = Rule("agentv.E126", "The text block has no text in `value`.", hint="Write the text as `value`.", rule="S26")
TURNS_ALONE = Rule("agentv.E138", "Only a conversation has turns.", hint="Add `mode: conversation`.", rule="S38")
NO_TURNS = Rule(
    "agentv.E139", "A conversation needs a list of turns.", hint="Write what the user says in each turn.", rule="S39"
)
NO_EXPECTATION = Rule(
    "agentv.E140",
    "A conversation has no expected output of its own.",
    hint="Write an expected output for each turn.",
    rule="S40",
)
ONLY_THERE = Rule(
    "agentv.E141", "{name} is only for conversations.", hint="Add `mode: conversation`, or remove it.", rule="S41"
)
NO_TURN = Rule("agentv.E142", "A turn is a mapping.", hint="Write `input` and what is expected.", rule="S42")
SILENT_TURN = Rule("agentv.E143", "This turn has no user message.", hint="Write `input`.", rule="S43")
NO_FILE_NAME = Rule("agentv.E155", "The file block names no file.", hint="Write its path as `value`.", rule="S55")
BAD_PATTERNS = Rule("agentv.E190", "`eval_patterns` must be a list of texts.", hint="Start each entry with a dash.")
BAD_VERSION = Rule(
    "agentv.E191", "`required_version` must be text.", hint="Write a range of versions in quotes, such as '>=4.33'."
)
BAD_RESULTS = Rule("agentv.E192", "`results` must be a mapping.", hint="Write its fields below it.")
BAD_PLACE = Rule(
    "agentv.E193", "The path of results must be absolute or below the home folder.", hint="Begin with / or ~."
)
NO_REPOSITORY = Rule(
    "agentv.E194",
    "The results must name one repository.",
    hint="Write just one of `repo`, `repo_url` and `repo_path`, or remove the results.",
)
BAD_FIELD = Rule(
    "agentv.E196",
    "{name} of the results must be {expected}; this is {found}.",
    hint="Fix it, or leave it out.",
)
# What AgentV refuses, by the names that the schema has for its rules (`x-rules`).
REFUSED: Mapping[str, Rule] = {
    "no_tests": NO_TESTS_KEY,
    "bad_shared_input": BAD_SHARED_INPUT,
    "no_test": NO_MAPPING,
    "no_id": NO_ID,
    "blank_criteria": BLANK_CRITERIA,
    "no_input": NO_INPUT,
    "bad_input": BAD_INPUT,
    "bad_expected": BAD_EXPECTED,
    "no_message": NO_MESSAGE,
    "role": UNKNOWN_ROLE,
    "no_content": NO_CONTENT,
    "bad_part": BAD_PART,
    "no_block_type": NO_BLOCK_TYPE,
    "no_text": NO_TEXT,
    "no_file_name": NO_FILE_NAME,
    "turns_alone": TURNS_ALONE,
    "no_turns": NO_TURNS,
    "no_expectation": NO_EXPECTATION,
    "only_there": ONLY_THERE,
    "no_turn": NO_TURN,
    "silent_turn": SILENT_TURN,
    "patterns": BAD_PATTERNS,
    "version": BAD_VERSION,
    "results": BAD_RESULTS,
    "results_path": BAD_PLACE,
    "repository_of_results": NO_REPOSITORY,
    "results_field": BAD_FIELD,
}
# What an assertion of a program states; everything else in it is handed to the program as it stands (F.7).
_OF_PROGRAMS = frozenset({*COMMON, *TAIL, "command", "cwd", "target", "preprocessors"})

STRUCTURES: Mapping[NodeKind, Structure] = {
    kind: Structure(
        schema,
        {"type": WRONG_TYPE, "enum": NOT_LISTED, "limit": OUT_OF_RANGE, "required": MISSING},
    )
    for kind, schema in SCHEMA.items()
}
_REFUSALS: Mapping[NodeKind, Structure] = {
    kind: Structure(schema, REFUSED, rule_names(schema)) for kind, schema in SCHEMA.items()
}

_CODES = frozenset(rule.code for rule in (WRONG_TYPE, NOT_LISTED, OUT_OF_RANGE, MISSING))


def refused(kind: NodeKind, document: Document) -> Iterator[Finding]:
    """What AgentV's checks refuse of a document's structure, at the places that they name."""
    if STRUCTURES[kind].check.is_valid(document):
        return
    for finding in _REFUSALS[kind].examine(document):
        if finding.code == NO_TURNS.code:
            yield replace(finding, path=("mode",))
        elif finding.code == BAD_INPUT.code and document["input"] is None:
            yield NO_INPUT.at(finding.path)
        else:
            yield finding


def with_structure(kind: NodeKind, document: Document, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of other rules about a document, and what the schema refuses besides."""
    for finding in STRUCTURES[kind].beside(document, findings):
        if finding.code not in _CODES or not _is_of_a_program(document, finding.path):
            yield finding


def _is_of_a_program(document: Document, path: Path) -> bool:
    """Whether a value is configuration that only a program of the pack reads."""
    value: Any = document
    for step in path:
        if isinstance(value, dict) and kind_of(value) == "code-grader" and step not in _OF_PROGRAMS:
            return True
        value = value.get(step) if isinstance(value, dict) else value[int(step)] if isinstance(value, list) else None
    return False
