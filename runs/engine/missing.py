"""Programs that a grader's command starts with and that its sandbox does not have: no agent is to blame for that."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, takewhile
from typing import Any

from runs.sandbox.contract import Command, Workspace

# What shells end with where a program is not there, or cannot be run.
CODES = (126, 127)
AND = "&&"
_MARKED = re.compile(r"^packwright-exit \d+ 12[67]$", re.MULTILINE)
_OPERATOR = re.compile(r"[();<>|&]+")
# Neither a path nor what a shell puts something in the place of.
_NAME = re.compile(r"[\w.+-]+")
_ASSIGNMENT = re.compile(r"\w+=")
_LOOK = 'command -v "$1" >/dev/null 2>&1'


def may_lack(payload: Mapping[str, Any]) -> bool:
    """Whether a command ended as it does where a program is missing. So does one that chooses to."""
    return payload.get("exit_code") in CODES or bool(_MARKED.search(str(payload.get("stderr", ""))))


def programs_of(text: str) -> Iterator[str]:
    """The programs without which a line cannot succeed, where they are no files: the first, and those after `&&`.

    What stands behind any other operator may be meant for when the first fails, or for a file.
    """
    try:
        words = list(_words(text))
    except ValueError:
        return
    certain = () if "||" in words else takewhile(lambda word: word == AND or not _OPERATOR.fullmatch(word), words)
    for is_operator, part in groupby(certain, AND.__eq__):
        name = next((word for word in part if not _ASSIGNMENT.match(word)), "")
        if not is_operator and _NAME.fullmatch(name):
            yield name


def _words(text: str) -> Iterator[str]:
    """Words and operators of a shell; raises ValueError for a quote that is not closed."""
    reader = shlex.shlex(text.replace("\n", ";"), posix=True, punctuation_chars=True)
    reader.whitespace_split = True
    return reader


def missing_in(workspace: Workspace, texts: Iterable[str], stand_ins: Mapping[str, str]) -> str:
    """The first of these programs that an untouched workspace does not have; empty where it has all.

    Of a program with a stand-in, that one is looked for.
    """
    for name in dict.fromkeys(name for text in texts for name in programs_of(text)):
        look = Command(("sh", "-lc", _LOOK, "sh", stand_ins.get(name, name)), own_home=True)
        if workspace.run(look).exit_code:
            return name
    return ""
