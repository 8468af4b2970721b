"""Requests made from the description of the API, at the things of a world with one of everything."""

import os
import re

from django.db import transaction
from django.urls import reverse
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.access.endpoints import ENDPOINTS
from tests.access.walk import quiet

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# Requests for each operation, of which a third is wrong on purpose. More find more: try some hundred by hand.
EXAMPLES = int(os.environ.get("PACKWRIGHT_TEST_EXAMPLES", "3"))

# What the parameters of paths are.
SHAPES = {
    "id": r"\d+",
    "release": r"\d+",
    "collection": "challenges|input-sets|cases|assets",
    "gate": r"\w+",
    "team": r"[\w-]+",
    "kind": "pack|run|agent",
    "act": "restore|purge",
}


def places(world):
    """Where something is: addresses of the world by the templates of the description, as values of its parameters."""
    found = {}
    for name, row in ENDPOINTS.items():
        for place in row.places(world):
            found.setdefault(name, []).append(reverse(name, kwargs=place))
    return [address for addresses in found.values() for address in addresses]


def values_of(template, addresses):
    """The values of the parameters of a template at those addresses that have its shape."""
    pattern = re.compile(re.sub(r"\\{(\w+)\\}", lambda name: f"(?P<{name[1]}>{SHAPES[name[1]]})", re.escape(template)))
    return [match.groupdict() for address in addresses if (match := pattern.fullmatch(address))]


def requests_of(operation, addresses):
    """Requests to an operation, right and wrong ones; two of three at something that is there."""
    there = values_of(operation.path, addresses)
    right = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    wrong = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    where = st.sampled_from([*there, *there, None]) if there else st.none()
    return st.tuples(st.one_of(right, right, wrong), where).map(placed)


def placed(found):
    case, place = found
    if place:
        case.path_parameters = dict(place)
    return case


def ask(case, key):
    with quiet():
        return case.call(headers={"Authorization": f"Bearer {key}"})


def call(case, key):
    """Hold the answer to a request to the description; whatever the request did is taken back."""
    with transaction.atomic():
        answer = ask(case, key)
        transaction.set_rollback(True)
    case.validate_response(answer, checks=CHECKS)
