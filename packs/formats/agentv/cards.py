"""The card of a pack of AgentV evals, readable for any document, however broken."""

from packs.formats.card import Card
from packs.formats.document import Document


def card(document: Document) -> Card:
    """The card of a pack's own document; see `Adapter.card`. Never raises."""
    about = document.get("x-description")
    return Card(
        description=about
        if isinstance(about, str)
        else "Suites of tests for agents, with workspaces, hooks and graders.",
        facts=(("Suites", "each runs on its own"), ("Passes from", "the suite's threshold, 0.8 where it has none")),
        criteria=(
            "the weighted mean of a test's assertions reaches its threshold",
            "no required assertion is below its gate",
        ),
    )
