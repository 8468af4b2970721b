"""The spec card of a benchmark pack, readable for any draft, however broken."""

from packs.formats.benchmark_pack.families import label_of
from packs.formats.benchmark_pack.header import header_of
from packs.formats.card import Card, Dimension, Root
from packs.formats.document import Document


def card(document: Document) -> Card:
    """The card of a manifest. Never raises."""
    header = header_of(document)
    image = header.environment.get("image")
    public, hidden = header.roots
    facts = (
        ("Default family", label_of(header.family)),
        ("Image", image if isinstance(image, str) else ""),
        ("Public files", header.public_root),
        ("Hidden files", header.hidden_root),
    )
    return Card(
        facts=tuple(fact for fact in facts if fact[1]),
        dimensions=(Dimension("correctness", "The verifier of the row's family", threshold="1"),),
        criteria=("the verifier of the row's family accepts the answer",),
        roots=(
            Root(public, "Public files", "An agent finds those that its row names.", is_hidden=False),
            Root(hidden, "Hidden files", "They appear beside verifiers, once the agent has ended.", is_hidden=True),
        ),
    )
