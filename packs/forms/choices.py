"""What pickers offer: the things that a pack declares, as far as a form can refer to them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from packs.forms.fields import Option

# More than this is not a list to pick from any more; the form then takes any text.
MAX_OPTIONS = 500


@dataclass(frozen=True, slots=True)
class Declared:
    """The keys that a document may refer to. `inputs` and `expectations` are those of cases near at hand."""

    challenges: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()
    validators: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    captures: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    expectations: tuple[str, ...] = ()
    payload: tuple[str, ...] = field(default=())

    def picks(self, name: str) -> tuple[Option, ...]:
        """The options of a schema's `x-picks`; none for a name that nothing declares."""
        if name not in Declared.__dataclass_fields__:
            return ()
        return tuple(Option(key, key) for key in getattr(self, name)[:MAX_OPTIONS])

    def sources(self) -> tuple[Option, ...]:
        """Where an expectation may take its content from (challenge-pack c.2)."""
        inputs = [Option(f"input:{key}", f"Input {key}") for key in self.inputs]
        assets = [Option(f"artifact:{key}", f"Asset {key}") for key in self.assets]
        return tuple((inputs + assets)[:MAX_OPTIONS])

    def evidence(self) -> tuple[str, ...]:
        """Evidence references that resolve to something here (challenge-pack d.2)."""
        return (
            "final_output",
            *(f"case.expectations.{key}" for key in self.expectations),
            *(f"case.inputs.{key}" for key in self.inputs),
            *(f"case.payload.{key}" for key in self.payload),
            "case.payload",
            "challenge_input",
            *(f"artifact.{key}" for key in self.assets),
            *(f"file:{key}" for key in self.captures),
            "tool_calls",
            "transcript.full",
            "literal:",
        )[:MAX_OPTIONS]


def keys_in(document: Any, *path: str, name: str = "key") -> tuple[str, ...]:
    """The keys of the objects in a list of a document, in order and once each; wrong shapes are passed over."""
    found: Any = document
    for step in path:
        found = found.get(step) if isinstance(found, dict) else None
    items = found if isinstance(found, list) else []
    keys = (item.get(name) for item in items if isinstance(item, dict))
    return unique(key for key in keys if isinstance(key, str))


def unique(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.strip() for key in keys if key.strip()))


def declared_by_case(document: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The parts of `Declared` that one case's document gives; keys with dots cannot be referred to."""
    payload = document.get("payload")
    names = payload if isinstance(payload, dict) else {}
    return {
        "inputs": keys_in(document, "inputs"),
        "expectations": keys_in(document, "expectations"),
        "payload": unique(name for name in names if isinstance(name, str) and "." not in name),
    }
