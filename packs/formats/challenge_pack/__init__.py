"""The challenge-pack format. This module fulfils `packs.formats.adapter.Adapter`."""

from packs.formats.parts import parts_of

LABEL = "Challenge pack"
HELP = "Challenges with input sets of cases. Validators, metrics and judges become one scorecard."
HAS_TRIALS = False
RUNS_ALL_SETS = False
JOINS_FILES = False

__getattr__ = parts_of(
    __name__,
    plain="FAILURES_IN FIXTURES GATES_POINTER",
    MAIN_FILES="reader",
    NAME="values",
    check_artifacts="checks.artifacts",
    identify="keys",
    version_number="keys",
)
