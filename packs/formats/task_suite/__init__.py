"""The task-suite format. This module fulfils `packs.formats.adapter.Adapter`."""

from packs.formats.task_suite.addresses import locate, path_of, place
from packs.formats.task_suite.card import card
from packs.formats.task_suite.checks import PACK_WIDE, check, check_node
from packs.formats.task_suite.compiler import compile_tasks
from packs.formats.task_suite.failures import FAILURES_IN, case_from_failure
from packs.formats.task_suite.lens import load_node
from packs.formats.task_suite.lineage import (
    CHECKS_AT,
    EVALUATION_POINTER,
    GATES_POINTER,
    KEY_POINTERS,
    SHARED_POINTERS,
    VERSION_POINTER,
    check_artifacts,
    lineage,
    stored_files,
    title,
)
from packs.formats.task_suite.loading import load
from packs.formats.task_suite.reader import NAME, identify, recognises, version_number
from packs.formats.task_suite.renaming import REFERRERS, renamed
from packs.formats.task_suite.schema import SCHEMA
from packs.formats.task_suite.starters import FIRST_CHECKS, identified, new_document, starter
from packs.formats.task_suite.stored import stored_document
from packs.formats.task_suite.writer import dump, dump_node

LABEL = "Task suites"
HELP = "Suites of tasks that are tried several times. Pass rates count, and gates hold back a bad change."
HAS_TRIALS = True
RUNS_ALL_SETS = True
