"""Challenge packs of any size, as people write them."""

from typing import Any

from packs.formats import yamlio

HEAD: dict[str, Any] = {
    "pack": {"slug": "parcel-desk", "name": "Parcel desk", "family": "logistics"},
    "version": {
        "number": 1,
        "execution_mode": "prompt_eval",
        "evaluation_spec": {
            "name": "parcel-desk-v1",
            "version_number": 1,
            "judge_mode": "deterministic",
            "validators": [
                {
                    "key": "names-hub",
                    "type": "contains",
                    "target": "final_output",
                    "expected_from": "case.expectations.hub",
                }
            ],
            "scorecard": {"dimensions": ["correctness"]},
        },
    },
    "challenges": [
        {
            "key": "locate",
            "title": "Locate a parcel",
            "category": "tracking",
            "difficulty": "easy",
            "instructions": "Name the hub in which the parcel was scanned last.\nAnswer with its name only.\n",
        }
    ],
}


def simple_pack(cases: int) -> bytes:
    """A pack whose cases have one input and one expectation each."""
    made = [
        {
            "challenge_key": "locate",
            "case_key": f"parcel-{number}",
            "inputs": [{"key": "question", "kind": "text", "value": f"Where is parcel PX-{number}?"}],
            "expectations": [{"key": "hub", "kind": "text", "value": f"Hub {number % 97}"}],
        }
        for number in range(cases)
    ]
    input_set = {"key": "default", "name": "Default", "cases": made}
    return yamlio.write({**HEAD, "input_sets": [input_set]}).encode()
