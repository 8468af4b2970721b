"""The order of keys in canonical files: writers say which come first or last, the rest stay as they come."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Order = Callable[[Any], Any]


def arranged(first: Iterable[str], parts: Mapping[str, Order] | None = None, last: Iterable[str] = ()) -> Order:
    """Puts the entries of a mapping into an order: the named ones first or last, the rest between as they come.

    `parts` are the orders of what stands under a key. Other values than mappings stay as they are.
    """
    heads, tails, inner = tuple(first), tuple(last), parts or {}
    named = {*heads, *tails}

    def order(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        keys = [name for name in heads if name in value]
        keys += [name for name in value if name not in named]
        keys += [name for name in tails if name in value]
        return {key: inner[key](value[key]) if key in inner else value[key] for key in keys}

    return order


def each(order: Order) -> Order:
    """The order of every entry of a list."""
    return lambda value: [order(item) for item in value] if isinstance(value, list) else value


def each_value(order: Order) -> Order:
    """The order of every value of a mapping."""
    return lambda value: {name: order(item) for name, item in value.items()} if isinstance(value, dict) else value
