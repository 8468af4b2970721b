"""The benchmark-pack format. This module fulfils `packs.formats.adapter.Adapter`."""

from packs.formats.parts import parts_of

LABEL = "Benchmark pack"
HELP = "Rows of questions, code, patches and terminal tasks. A verifier for each kind of row says pass or fail."
HAS_TRIALS = False
RUNS_ALL_SETS = False
JOINS_FILES = False
MAIN_FILES: tuple[str, ...] = ()

__getattr__ = parts_of(
    __name__, plain="EVALUATION_POINTER FAILURES_IN FIXTURES GATES_POINTER ROOMS check_artifacts is_fixed stored_files"
)
