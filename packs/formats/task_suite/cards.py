"""The card of a pack of task suites, readable for any configuration, however broken."""

from packs.formats.card import Card, Dimension
from packs.formats.document import Document
from packs.formats.task_suite.suites import GATES, SUITES, default_trials, listed_suites
from packs.formats.values import listing, mapping

_TITLES = {"ci_merge_gate": "Merge gate", "nightly": "Nightly", "release_candidate": "Release"}


def card(document: Document) -> Card:
    """The card of a pack's own document; see `Adapter.card`. Never raises."""
    facts = [(suite.label, _counted(suite.name, document)) for suite in SUITES.values()]
    facts += [(_TITLES[gate], ", ".join(listed_suites(gate, document)) or "no suite") for gate in GATES]
    dimensions = tuple(
        Dimension(key=suite.name, summary=suite.about, threshold=_threshold(suite.name, document))
        for suite in SUITES.values()
    )
    return Card(
        description="Tasks for agents in four suites, tried several times, with gates for pipelines.",
        facts=tuple(facts),
        dimensions=dimensions,
        criteria=tuple(_criteria(document)),
    )


def _counted(name: str, document: Document) -> str:
    trials = default_trials(SUITES[name], document)
    return f"{trials.k} trials, {'all' if trials.metric == 'pass^k' else 'one'} must pass ({trials.metric})"


def _threshold(name: str, document: Document) -> str:
    section = mapping(mapping(document.get("gates")).get("ci_merge_gate"))
    value = mapping(section.get("suite_thresholds")).get(name)
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _criteria(document: Document) -> list[str]:
    section = mapping(mapping(document.get("gates")).get("ci_merge_gate"))
    words = {
        "any_safety_violation": "no trial violates the safety policy",
        "golden_regression": "no golden task that passed before fails now",
        "forbidden_tool_called": "no forbidden tool is called",
    }
    return [words[name] for name in listing(section.get("fail_on")) if isinstance(name, str) and name in words]
