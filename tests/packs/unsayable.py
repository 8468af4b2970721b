"""Errors that published schemas do not say, by their codes, with the reason.

For everything else schema and check agree. `test_drift` sees to it, and that no code stands here without need.
"""

from collections.abc import Mapping

NAMES = "It names something that stands elsewhere in the pack, or outside of it."
TOGETHER = "Whether it is needed, or what it may be, depends on values of other fields."
MEANING = "A text means something, such as a reference, a command or a schema, that patterns cannot check."
NUMBERS = "JSON Schema takes 1.0 for a whole number, and the format does not."

_CODES = {
    "agentv": {
        NAMES: "E145 E156 E159 E160",
    },
    "benchmark_pack": {
        NAMES: "E401",
        TOGETHER: "E511 E521",
        NUMBERS: "E102",
    },
    "challenge_pack": {
        NAMES: "E206 E312 E313 E334 E521 E522 E618 E805 E814",
        TOGETHER: "E809 E951",
    },
    "task_suite": {
        NAMES: "E312 E505 E603",
        TOGETHER: "E302",
        MEANING: "E321",
    },
}
UNSAYABLE: Mapping[str, str] = {
    f"{name}.{code}": reason
    for name, reasons in _CODES.items()
    for reason, codes in reasons.items()
    for code in codes.split()
}
