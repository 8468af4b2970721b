"""Searches texts for ECMAScript patterns: the program of the companion that `patterns` asks.

Each line of standard input is a JSON object of `pattern`, `flags` and `text`; each line of the output one of `found`,
or of `error` where the pattern is none.
"""

import json
import sys
from typing import Any

from regress import Regex, RegressError

# What changes neither whether nor where a first match is; `y` is looked after below.
PASSED_OVER = frozenset("gdy")
KNOWN = frozenset("gdyimsuv")


def search(question: dict[str, Any]) -> dict[str, Any]:
    """Whether the pattern is found, as `new RegExp(pattern, flags).test(text)` says."""
    flags = question["flags"]
    if set(flags) - KNOWN or len(set(flags)) != len(flags) or {"u", "v"} <= set(flags):
        return {"error": f"there are no flags {flags!r}"}
    try:
        pattern = Regex(question["pattern"], "".join(flag for flag in flags if flag not in PASSED_OVER))
    except RegressError as error:
        return {"error": str(error)}
    found = pattern.find(question["text"])
    return {"found": found is not None and ("y" not in flags or found.range().start == 0)}


def main() -> None:
    """Answer until nobody asks any more."""
    for line in sys.stdin:
        sys.stdout.write(json.dumps(search(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
