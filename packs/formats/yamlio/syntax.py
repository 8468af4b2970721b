"""Plain words for what the YAML scanner and parser object to."""

import re
from typing import Any

# Where libyaml's words are matched: a part of its problem and of its context, then what happened and what to do.
# Words in braces: `line` is where the construct began, `char` the character that was met.
_WORDS: list[tuple[str, str, str, str]] = [
    (
        "unexpected end of stream",
        "quoted scalar",
        "The quote that opens in line {line} is never closed.",
        "Add the closing quote, or remove the opening one.",
    ),
    (
        "document indicator",
        "quoted scalar",
        "The quote that opens in line {line} is not closed before the end of the document.",
        "Add the closing quote, or remove the opening one.",
    ),
    (
        "cannot start any token",
        "",
        "A value cannot start with {char}.",
        "{start_advice}",
    ),
    (
        "tab character",
        "",
        "A tab is used for indentation.",
        "Indent with spaces only, two for each level.",
    ),
    (
        "mapping values are not allowed",
        "",
        "A colon cannot stand here.",
        "If it belongs to a text, put the text in quotes; else check that this line is indented like its neighbours.",
    ),
    (
        "block sequence entries are not allowed",
        "",
        "A list item cannot start here.",
        "Put '- ' on a line of its own below the key, or put the text in quotes.",
    ),
    (
        "expected key",
        "block mapping",
        "This line does not fit the mapping that began in line {line}.",
        "Indent it exactly like the keys above it, and check that quotes before it are closed.",
    ),
    (
        "expected '-' indicator",
        "",
        "This line does not fit the list that began in line {line}.",
        "Start it with '- ' like the items above it, or indent it deeper if it belongs to the last item.",
    ),
    (
        "expected ',' or ']'",
        "",
        "The list that opens with '[' in line {line} is not closed.",
        "Put ',' between its items and ']' at its end.",
    ),
    (
        "expected ',' or '}'",
        "",
        "The mapping that opens with '{{' in line {line} is not closed.",
        "Put ',' between its entries and '}}' at its end; a text with braces needs quotes.",
    ),
    (
        "expected ':'",
        "simple key",
        "The text in line {line} has no ': ' after it, though a key is expected there.",
        "Add ': ' and a value, or indent the line so that it continues the text above.",
    ),
    (
        "expected node content",
        "",
        "A value is missing here.",
        "Write a value, or close the bracket that opens in line {line}.",
    ),
    (
        "expected <document start>",
        "",
        "The document has ended before this line.",
        "Indent this line like the rest, or put a text that contains quotes or brackets in quotes as a whole.",
    ),
    (
        "unknown escape character",
        "",
        "This backslash escape does not exist in YAML.",
        "Write \\\\ for a backslash, or use single quotes around the text.",
    ),
    (
        "hexdecimal number",
        "",
        "This backslash escape is not complete.",
        "Write all digits: \\x41, \\u0041 or \\U00000041.",
    ),
    (
        "Unicode character escape",
        "",
        "This escape names no character.",
        "Use a code point that exists and is no surrogate.",
    ),
    (
        "alphabetic or numeric character",
        "",
        "A text that starts with * or & must be in quotes.",
        "Put the whole text in quotes.",
    ),
    (
        "comment or line break",
        "block scalar",
        "Text cannot follow | or > on the same line.",
        "Begin the text on the next line, indented, or put it in quotes.",
    ),
    ("undefined tag handle", "", "The tag here uses a prefix that is not declared.", "Remove the tag."),
    ("%YAML", "", "The %YAML directive is not usable.", "Remove the line that starts with %."),
    ("directive", "", "A line that starts with % is not understood.", "Put the text in quotes or remove the line."),
]

_START_ADVICE = {
    "\t": "Indent with spaces, not with tabs.",
    "@": "Put the text in quotes.",
    "`": "Put the text in quotes.",
    "%": "Put the text in quotes.",
}


def explain(problem: str, context: str, line: int, char: str) -> dict[str, Any]:
    """The `problem` and `advice` of a syntax error; `line` counts from 1 and is where the construct began."""
    for wanted, place, words, advice in _WORDS:
        if wanted in problem and place in context:
            shown = "a tab" if char == "\t" else repr(char)
            start_advice = _START_ADVICE.get(char, "Put the text in quotes.")
            values = {"line": line, "char": shown, "start_advice": start_advice}
            return {"problem": words.format(**values), "advice": advice.format(**values)}
    return {"problem": f"This is not valid YAML: {problem or context}.", "advice": "Compare with the lines around it."}


# What no YAML reader takes in its raw form (YAML 1.1 and 1.2, c-printable).
UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
