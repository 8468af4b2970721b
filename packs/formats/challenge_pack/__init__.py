"""The challenge-pack format. This module fulfils `packs.formats.adapter.Adapter`."""

from packs.formats.challenge_pack.addresses import locate, path_of, place
from packs.formats.challenge_pack.card import card
from packs.formats.challenge_pack.checks import PACK_WIDE, check, check_node
from packs.formats.challenge_pack.checks.artifacts import check_artifacts
from packs.formats.challenge_pack.compiler import compile_tasks
from packs.formats.challenge_pack.failures import FAILURES_IN, case_from_failure
from packs.formats.challenge_pack.lens import load_node
from packs.formats.challenge_pack.lineage import (
    CHECKS_AT,
    EVALUATION_POINTER,
    GATES_POINTER,
    KEY_POINTERS,
    SHARED_POINTERS,
    VERSION_POINTER,
    lineage,
    stored_files,
    title,
)
from packs.formats.challenge_pack.reader import NAME, identify, load, recognises, version_number
from packs.formats.challenge_pack.renaming import REFERRERS, renamed
from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.challenge_pack.starters import FIRST_CHECKS, identified, new_document, starter
from packs.formats.challenge_pack.stored import stored_document
from packs.formats.challenge_pack.writer import dump, dump_node

LABEL = "Challenge pack"
HELP = "Challenges with input sets of cases. Validators, metrics and judges become one scorecard."
HAS_TRIALS = False
RUNS_ALL_SETS = False
