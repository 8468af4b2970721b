"""Errors that published schemas do not say, by their codes, with the reason.

For everything else schema and check agree. `test_drift` sees to it, and that no code stands here without need.
"""

from collections.abc import Mapping

NAMES = "It names something that stands elsewhere in the pack, or outside of it."
TOGETHER = "Whether it is needed, or what it may be, depends on values of other fields."
MEANING = "A text means something, such as a reference, a command or a schema, that patterns cannot check."
OWN_SYNTAX = "Readers keep it as free content, and ask of it only where it is used."
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
        NAMES: "E206 E312 E313 E334 E521 E522 E618 E725 E805 E814",
        TOGETHER: (
            "E119 E311 E314 E517 E563 E571 E611 E616 E704 E705 E707 E808 E809 E810 E811 E813 E817 E821 E910 E951 E962 "
            "E963 E965 E969"
        ),
        MEANING: "E347 E516 E518 E706 E710 E717",
        OWN_SYNTAX: "E402 E405 E411 E412 E421 E422 E568 E569 E966",
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
