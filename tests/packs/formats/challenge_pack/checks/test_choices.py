"""The closed lists of the rules and those of the schema, from which forms are made, are the same."""

import pytest

from packs.formats.challenge_pack.checks import (
    judges,
    metrics,
    scorecard,
    security,
    simulator,
    specification,
    validators,
)
from packs.formats.challenge_pack.checks.challenges import DIFFICULTIES
from packs.formats.challenge_pack.checks.header import EXECUTION_MODES, TRANSPORTS
from packs.formats.challenge_pack.schema import SCHEMA


def enums(schema):
    if isinstance(schema, dict):
        if isinstance(schema.get("enum"), list):
            yield frozenset(schema["enum"])
        for part in schema.values():
            yield from enums(part)
    if isinstance(schema, list):
        for part in schema:
            yield from enums(part)


OFFERED = set(enums(list(SCHEMA.values())))
LISTS = {
    "difficulty": DIFFICULTIES,
    "execution mode": EXECUTION_MODES,
    "transport": TRANSPORTS,
    "judge mode of the spec": specification.JUDGE_MODES,
    "check type": validators.CHECK_TYPES,
    "metric type": metrics.METRIC_TYPES,
    "signal": metrics.SIGNALS,
    "judge mode": judges.MODES,
    "aggregation": judges.AGGREGATIONS,
    "dimension source": scorecard.SOURCES,
    "strategy": scorecard.STRATEGIES,
    "severity": security.SEVERITIES,
    "location": security.LOCATIONS,
    "actor": simulator.ACTORS,
    "trigger": (simulator.ALWAYS, *simulator.TRIGGERS),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_form_offers_exactly_what_the_rules_accept(name):
    assert frozenset(LISTS[name]) in OFFERED
