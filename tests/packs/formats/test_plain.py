from packs.formats import adapter_of, plain
from packs.formats.adapter import Above
from packs.formats.document import NodeKind
from packs.formats.parts import PLACES


def test_a_plain_format_names_keeps_and_fixes_nothing():
    document = {"id": "a", "path": "notes.md"}
    pack = adapter_of("agentv").starter("p", "P")
    (case,) = pack.input_sets[0].cases
    assert plain.stored_document(case) == case.document
    assert plain.renamed(NodeKind.CASE, document, "asset", {"notes.md": "b.md"}, Above({})) == document
    assert not any((plain.lineage(document), plain.is_fixed("asset", "notes.md"), plain.version_number(pack)))
    assert [*plain.stored_files(NodeKind.CASE, document), *plain.check_artifacts(pack, ())] == []


def test_all_that_is_plain_is_of_the_contract():
    """Formats take names from here by the word: one that none of them has would never be asked for."""
    own = {
        name for name, value in vars(plain).items() if getattr(value, "__module__", plain.__name__) == plain.__name__
    }
    assert {name for name in own if not name.startswith("_")} <= set(PLACES)
