"""The limits of a YAML file and the rules about its form; formats add their own rule id to these findings."""

from packs.formats.findings import Rule

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 100
# Scalars, and starts and ends of lists and mappings.
MAX_EVENTS = 5_000_000
MAX_SCALAR = 8 * 1024 * 1024
# Characters of source text that aliases may stand for, all together.
MAX_ALIASED = 8 * 1024 * 1024


class UnwritableError(ValueError):
    """The value is not one that YAML and JSON can hold; the message says why."""


SYNTAX = Rule("yaml.E001", "{problem}", hint="{advice}")
DUPLICATE_KEY = Rule(
    "yaml.E002",
    "The key {key!r} is given twice in one mapping: first in line {first}, again in line {second}.",
    hint="Keep one of the two. Until then the first one counts.",
)
NOT_UTF8 = Rule(
    "yaml.E003",
    "The file is not valid UTF-8: byte {byte:#04x} cannot stand here.",
    hint="Save the file with the encoding UTF-8.",
)
BAD_CHARACTER = Rule(
    "yaml.E004",
    "The control character U+{character:04X} cannot stand in YAML as it is.",
    hint='Delete it, or write it as an escape inside double quotes, for example "\\x1b".',
)
TOO_LARGE = Rule("yaml.E005", "The file has {size} bytes; at most {limit} can be read.", hint="Split the pack.")
TOO_DEEP = Rule(
    "yaml.E006", "Lists and mappings are nested more than {limit} levels deep here.", hint="Make the value flatter."
)
TOO_MANY_EVENTS = Rule(
    "yaml.E007", "The file holds more than {limit} scalars, lists and mappings.", hint="Split the pack."
)
SCALAR_TOO_LONG = Rule(
    "yaml.E008", "This text has {size} characters; at most {limit} can be read.", hint="Put it into a file of its own."
)
ALIASES_TOO_LARGE = Rule(
    "yaml.E009",
    "The aliases of this file stand for more than {limit} characters.",
    hint="Write out the values that are needed in place of aliases to aliases.",
)
UNKNOWN_ALIAS = Rule(
    "yaml.E010",
    "The alias *{name} has no finished anchor &{name} before it.",
    hint="Define the anchor earlier, or put the text in quotes if no alias is meant.",
)
BAD_MERGE = Rule(
    "yaml.E011",
    "Only a mapping, or a list of mappings, can be merged with <<.",
    hint='Give an alias to a mapping, or write "<<" in quotes if it is an ordinary key.',
)
BAD_KEY = Rule(
    "yaml.E012", "A key must be text, not a list or a mapping.", hint='Put the key in quotes, as in "[a]": value.'
)
UNTEXTUAL_KEY = Rule("yaml.E013", "The key {key} is not text.", hint='Put it in quotes: "{key}".')
TAG = Rule(
    "yaml.E014", "The tag {tag} is not supported here.", hint="Remove the tag; write the value as text, number or list."
)
UNSTORABLE = Rule(
    "yaml.E015",
    "{text} cannot be stored: JSON has no infinity and no not-a-number.",
    hint='Write a finite number, or put it in quotes if text is meant: "{text}".',
)
SECOND_DOCUMENT = Rule(
    "yaml.E016",
    "A second document starts here; only one is allowed.",
    hint="Remove the line --- or move what follows it into a file of its own.",
)
LATER_DOCUMENT = Rule(
    "yaml.W001",
    "A second document starts here; only the first one is read.",
    hint="Remove the line --- or move what follows it into a file of its own.",
)
KEY_AS_TEXT = Rule("yaml.W002", "The key {key} is read as text.", hint='Put it in quotes to say so: "{key}".')
LOST_DIGITS = Rule(
    "yaml.W003",
    "The number {text} has more digits than can be stored and becomes {value!r}.",
    hint='Put it in quotes if every digit counts: "{text}".',
)
ANCHOR = Rule(
    "yaml.W004",
    "The anchor &{name} is replaced by its value when the pack is written again.",
    hint="Write the value out where it is used.",
)
DATE = Rule(
    "yaml.W005",
    "{text} is read as text; other readers of this file take it as a date.",
    hint='Put it in quotes, so that all read the same: "{text}".',
)
