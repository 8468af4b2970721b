"""The benchmark-pack format. This module fulfils `packs.formats.adapter.Adapter`."""

from packs.formats.benchmark_pack.addresses import locate, path_of, place
from packs.formats.benchmark_pack.card import card
from packs.formats.benchmark_pack.checks import PACK_WIDE, check, check_node
from packs.formats.benchmark_pack.compiler import compile_tasks
from packs.formats.benchmark_pack.failures import FAILURES_IN, case_from_failure
from packs.formats.benchmark_pack.lens import load_node
from packs.formats.benchmark_pack.lineage import (
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
from packs.formats.benchmark_pack.reader import NAME, identify, load, recognises, version_number
from packs.formats.benchmark_pack.renaming import REFERRERS, renamed
from packs.formats.benchmark_pack.schema import SCHEMA
from packs.formats.benchmark_pack.starters import FIRST_CHECKS, identified, new_document, starter
from packs.formats.benchmark_pack.stored import stored_document
from packs.formats.benchmark_pack.writer import dump, dump_node

LABEL = "Benchmark pack"
HELP = "Rows of questions, code, patches and terminal tasks. A verifier for each kind of row says pass or fail."
HAS_TRIALS = False
RUNS_ALL_SETS = False
