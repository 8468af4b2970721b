"""The task-suite format. This module fulfils `packs.formats.adapter.Adapter`."""

from packs.formats.parts import parts_of

LABEL = "Task suites"
HELP = "Suites of tasks that are tried several times. Pass rates count, and gates hold back a bad change."
HAS_TRIALS = True
RUNS_ALL_SETS = True
JOINS_FILES = True
MAIN_FILES: tuple[str, ...] = ()

__getattr__ = parts_of(
    __name__,
    plain="ROOMS VERSION_POINTER check_artifacts is_fixed lineage stored_document stored_files version_number",
    load="loading",
)
