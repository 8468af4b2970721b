"""Changing a draft: every way in is an edit that can be undone, seen in the history, and is known from others'."""

from packs.editing.changes import apply, replace_document
from packs.editing.fixing import (
    FixedNodes,
    Offer,
    changes_of,
    fix_all,
    fix_at,
    fixer_for,
    is_too_much,
    offered_by,
    rows_with,
)
from packs.editing.history import Moment, history, redo, redoable, travels, undo, undoable
from packs.editing.many import change_cases, duplicate_cases, move_cases, remove_cases
from packs.editing.naming import Foreseen, Thing, foresee, rename
from packs.editing.nodes import FIRST, add_node, duplicate_node, move_node, remove_node, set_asset_content
from packs.editing.problems import Problem, in_order, problems
from packs.editing.rechecking import recheck, recheck_aside, recheck_if_stale
from packs.editing.renaming import users_of
from packs.editing.replacing import Plan, plan, replace_tree
from packs.editing.values import ABSENT, Applied, Change, Conflict, EditRefused, Renamed, Seen, TooHeavy, TooManyFollow

__all__ = [
    "ABSENT",
    "FIRST",
    "Applied",
    "Change",
    "Conflict",
    "EditRefused",
    "FixedNodes",
    "Foreseen",
    "Moment",
    "Offer",
    "Plan",
    "Problem",
    "Renamed",
    "Seen",
    "Thing",
    "TooHeavy",
    "TooManyFollow",
    "add_node",
    "apply",
    "change_cases",
    "changes_of",
    "duplicate_cases",
    "duplicate_node",
    "fix_all",
    "fix_at",
    "fixer_for",
    "foresee",
    "history",
    "in_order",
    "is_too_much",
    "move_cases",
    "move_node",
    "offered_by",
    "plan",
    "problems",
    "recheck",
    "recheck_aside",
    "recheck_if_stale",
    "redo",
    "redoable",
    "rename",
    "remove_cases",
    "remove_node",
    "replace_document",
    "replace_tree",
    "rows_with",
    "set_asset_content",
    "travels",
    "undo",
    "undoable",
    "users_of",
]
