"""The rules that the schemas of AgentV evals name (`x-rules`): what AgentV's checks refuse, and what they warn of."""

from collections.abc import Mapping

from packs.formats.agentv.notes import BAD_INFORMATION, IGNORED
from packs.formats.findings import Rule

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
SLIP = Rule(
    "agentv.W325", "AgentV knows no field {name!r} here.", hint="{advice} " + _SILENT + "; it reads no such field."
)

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
OLD_SUITE_KEY = Rule("agentv.W105", "{name} is an old name that is still read.", hint="Write {expected}.", rule="S05")
UNKNOWN_SUITE_KEY = Rule(
    "agentv.W106", "AgentV does not know the field {name!r} of a suite.", hint="{advice}", rule="S06"
)
OLD_TEST_KEY = Rule("agentv.W114", "{name} is an old name that is still read.", hint="Write {expected}.", rule="S14")
UNKNOWN_TEST_KEY = Rule(
    "agentv.W115", "AgentV does not know the field {name!r} of a test.", hint="{advice}", rule="S15"
)
NO_ASSERTIONS = Rule("agentv.W128", "The assertions must be a list.", hint="Start each entry with a dash.", rule="S28")
BLANK_ASSERTION = Rule("agentv.W129", "The assertion is blank.", hint="Say what must hold, or remove it.", rule="S29")
NO_ASSERTION = Rule(
    "agentv.W130",
    "An assertion must be text or a mapping.",
    hint="Put it in quotes to make it a criterion.",
    rule="S30",
)
NO_TYPE = Rule(
    "agentv.W131", "The assertion does not say its type.", hint="Add a type, such as `contains`.", rule="S31"
)
NEEDS_TEXT = Rule(
    "agentv.W133",
    "An assertion of this type needs text as its value; this is {found}.",
    hint="Put the value in quotes.",
    rule="S33",
)
NEEDS_TEXTS = Rule(
    "agentv.W134",
    "An assertion of this type needs a list of one or more texts as its value.",
    hint="Start each entry with a dash.",
    rule="S34",
)
REQUIRED_RANGE = Rule(
    "agentv.W136", "`required` must be a number above 0 and at most 1.", hint="Write true or false.", rule="S36"
)
REQUIRED_KIND = Rule("agentv.W137", "`required` must be true or false.", hint="Write true or false.", rule="S37")
USER_LEVEL = Rule(
    "agentv.W194", "AgentV reads `projects` only from the settings of a user.", hint="Remove it from the pack."
)
UNKNOWN_SETTING = Rule("agentv.W195", "AgentV knows no setting {name!r}.", hint="{advice}")
NO_CONVERTERS = Rule("agentv.W308", "`preprocessors` must be a list.", hint="Begin each preprocessor with a dash.")
UNKNOWN_OF_CONVERTER = Rule("agentv.N312", "AgentV knows no field {name!r} of a preprocessor.", hint="{advice}")
BAD_OPTION = Rule(
    "agentv.W304", "{name} must be {expected}; this value is ignored.", hint="Fix it, or leave it out for the default."
)
IGNORED_SETTING = Rule(
    "agentv.W512", "{name} must be {expected}; this value is ignored.", hint="Fix it, or leave it out for the default."
)
BAD_LIMIT = Rule(
    "agentv.W306",
    "{name} of the container must be {expected}; no trial can begin with this value.",
    hint="Fix it, or leave it out for the usual limit.",
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
# What is wrong with assertions, which AgentV's checks only warn of.
ASSERTIONS: Mapping[str, Rule] = {
    "no_assertions": NO_ASSERTIONS,
    "blank": BLANK_ASSERTION,
    "no_assertion": NO_ASSERTION,
    "no_type": NO_TYPE,
    "needs_text": NEEDS_TEXT,
    "needs_texts": NEEDS_TEXTS,
    "required_range": REQUIRED_RANGE,
    "required_kind": REQUIRED_KIND,
}
# What AgentV passes over, leaves out or reads as something else.
ADVISED: Mapping[str, Rule] = {
    "type": WRONG_TYPE,
    "enum": NOT_LISTED,
    "limit": OUT_OF_RANGE,
    "required": MISSING,
    "slip": SLIP,
    "old_suite_key": OLD_SUITE_KEY,
    "unknown_suite_key": UNKNOWN_SUITE_KEY,
    "old_test_key": OLD_TEST_KEY,
    "unknown_test_key": UNKNOWN_TEST_KEY,
    "user_level": USER_LEVEL,
    "unknown_setting": UNKNOWN_SETTING,
    "not_loaded": BAD_INFORMATION,
    "ignored": IGNORED,
    "bad_option": BAD_OPTION,
    "bad_setting": IGNORED_SETTING,
}
CONVERTERS: Mapping[str, Rule] = {"no_converters": NO_CONVERTERS, "unknown_of_converter": UNKNOWN_OF_CONVERTER}
# Limits of containers, and what is passed over: of workspaces as they are read, those in files of their own too.
OF_WORKSPACES: Mapping[str, Rule] = {"bad_limit": BAD_LIMIT, "unread": IGNORED}
# Whatever AgentV's checks do not refuse.
WARNINGS = frozenset((*ASSERTIONS, *ADVISED, *CONVERTERS, *OF_WORKSPACES))
