"""How results name the rows that they belong to (benchmark-pack 12); see `abilities.CaseCompiler`."""

from packs.formats.benchmark_pack.compiled import Compiled, compile_row
from packs.formats.benchmark_pack.families import REDACTED
from packs.formats.benchmark_pack.header import header_of
from packs.formats.benchmark_pack.rows import ordered, tidy
from packs.formats.document import Document

__all__ = ["REDACTED", "compiled_case"]


def compiled_case(pack: Document, case: Document) -> Compiled:
    """A row in compiled form."""
    header = header_of(pack)
    return compile_row(header, ordered(tidy(case), header.family_of(case)))
