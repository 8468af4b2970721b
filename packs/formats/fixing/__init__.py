"""Fixes of findings: edits of one document that are tried, and offered only where they remove the finding.

No rule states a fix of its own. What an author may have meant is read from the schema at the place of the finding and
from the names that the pack declares; the check of the format then decides.
"""

from packs.formats.fixing.files import Fixed, fix_files, splice
from packs.formats.fixing.fix import Act, Fix
from packs.formats.fixing.fixer import Fixer, fixer_of, names_in
from packs.formats.fixing.trees import node_at, with_document

__all__ = ["Act", "Fix", "Fixed", "Fixer", "fix_files", "fixer_of", "names_in", "node_at", "splice", "with_document"]
