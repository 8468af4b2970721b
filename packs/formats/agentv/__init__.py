"""The AgentV evals format. This module fulfils `packs.formats.adapter.Adapter`."""

from packs.formats.agentv.addresses import locate, path_of, place
from packs.formats.agentv.card import card
from packs.formats.agentv.checks import PACK_WIDE, check, check_node
from packs.formats.agentv.compiler import compile_tasks
from packs.formats.agentv.failures import FAILURES_IN, case_from_failure
from packs.formats.agentv.lens import load_node
from packs.formats.agentv.lineage import (
    CHECKS_AT,
    EVALUATION_POINTER,
    GATES_POINTER,
    HAS_TRIALS,
    KEY_POINTERS,
    RUNS_ALL_SETS,
    SHARED_POINTERS,
    VERSION_POINTER,
    check_artifacts,
    lineage,
    stored_files,
    title,
)
from packs.formats.agentv.reader import NAME, identify, load, recognises, version_number
from packs.formats.agentv.renaming import REFERRERS, renamed
from packs.formats.agentv.schema import SCHEMA
from packs.formats.agentv.starters import FIRST_CHECKS, identified, new_document, starter
from packs.formats.agentv.stored import stored_document
from packs.formats.agentv.writer import dump, dump_node

LABEL = "AgentV evals"
HELP = "Eval files with tests and assertions, for agents that talk or work in a workspace of files."
