"""The AgentV evals format. This module fulfils `packs.formats.adapter.Adapter`."""

from packs.formats.parts import parts_of

LABEL = "AgentV evals"
HELP = "Eval files with tests and assertions, for agents that talk or work in a workspace of files."
HAS_TRIALS = True
RUNS_ALL_SETS = True
JOINS_FILES = True
MAIN_FILES: tuple[str, ...] = ()

__getattr__ = parts_of(
    __name__,
    plain=(
        "EVALUATION_POINTER FAILURES_IN GATES_POINTER ROOMS SHARED_POINTERS VERSION_POINTER "
        "lineage stored_files version_number"
    ),
)
