"""From LaTeX and typographic notation to plain operators, parentheses and sqrt() (challenge-pack d.3)."""

import re

from runs.grading.graders.mathematics.expressions import BadExpression
from runs.grading.graders.texts import collapse_blanks, trim

MAX_CHARACTERS = 10_000

_SIGNS = {
    "\r\n": " ",
    "\n": " ",
    ",": "",
    "\u2212": "-",
    "\u2013": "-",
    "\u00d7": "*",
    "\u00b7": "*",
    "\u00f7": "/",
}
_COMMANDS = {
    "\\left": "",
    "\\right": "",
    "\\cdot": "*",
    "\\times": "*",
    "\\!": "",
    "\\,": "",
    "\\;": "",
    "\\:": "",
}
_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))
_COMMAND = re.compile("|".join(map(re.escape, _COMMANDS)))
# The root sign before anything that is not a group: it takes the next term.
_BARE_ROOT = re.compile(r"\u221a\s*([^\s+\-*/^(){}]+)")


def plain_notation(text: str) -> str:
    """An expression in plain notation. Raises BadExpression when there is none or its groups are broken."""
    if len(text) > MAX_CHARACTERS:
        raise BadExpression(f"it has more than {MAX_CHARACTERS} characters")
    text = _COMMAND.sub(lambda match: _COMMANDS[match.group()], _without_dollars(text))
    text = trim(_SIGN.sub(lambda match: _SIGNS[match.group()], text))
    for command, arguments in (("\\boxed", 1), ("\\frac", 2), ("\\sqrt", 1)):
        text = _replace_command(text, command, arguments)
    text = _BARE_ROOT.sub(r"sqrt(\1)", text).replace("\u221a", "sqrt")
    text = trim(collapse_blanks(text.replace("{", "(").replace("}", ")")))
    if not text:
        raise BadExpression("it is empty")
    return text


def _without_dollars(text: str) -> str:
    """Without the dollar signs around the whole."""
    text = trim(text)
    while len(text) >= 2 and text[0] == text[-1] == "$":
        text = trim(text[1:-1])
    return text


def _replace_command(text: str, command: str, arguments: int) -> str:
    """Replace every use of a command, innermost uses of the same command included."""
    start = text.find(command)
    while start >= 0:
        position = _skip_blanks(text, start + len(command))
        root = ""
        if command == "\\sqrt" and text[position : position + 1] == "[":
            root, position = _group(text, position, "[", "]", command)
        groups = []
        for _ in range(arguments):
            group, position = _group(text, _skip_blanks(text, position), "{", "}", command)
            groups.append(group)
        text = text[:start] + _plain(command, groups, trim(root)) + text[position:]
        if len(text) > 2 * MAX_CHARACTERS:
            raise BadExpression("it is too long")
        start = text.find(command)
    return text


def _plain(command: str, groups: list[str], root: str) -> str:
    if command == "\\frac":
        return f"(({groups[0]})/({groups[1]}))"
    if command == "\\boxed":
        return f"({groups[0]})"
    return f"((({groups[0]})^(1/({root}))))" if root else f"sqrt({groups[0]})"


def _skip_blanks(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _group(text: str, start: int, opening: str, closing: str, command: str) -> tuple[str, int]:
    """The inside of a balanced group and the position after it."""
    if text[start : start + 1] != opening:
        raise BadExpression(f"{command} must be followed by a group in {opening}{closing}")
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == opening) - (text[position] == closing)
        if depth == 0:
            return text[start + 1 : position], position + 1
    raise BadExpression(f"a group after {command} is not closed")
