"""Rubric items and score ranges as the loader takes them (agentv F.8)."""

from typing import Any

from packs.formats.agentv.kinds import Fatal, is_share
from packs.formats.document import Document
from packs.formats.values import is_number, listing

TOP = 10
OPERATORS = ("correctness", "contradiction")

# The name of the checklist that texts make, how the ids of its items begin, and whether they are required.
Checklist = tuple[str, str, bool]
CHECKLIST: Checklist = ("rubrics", "rubric", True)


def criteria_of(texts: list[str], checklist: Checklist = CHECKLIST) -> Document:
    """The one checklist that the texts of a list of assertions make (agentv F.2, C.7)."""
    name, prefix, is_required = checklist
    items = [
        {"id": f"{prefix}-{number}", "outcome": text, "weight": 1, "required": is_required}
        for number, text in enumerate(texts, start=1)
    ]
    return {"name": name, "type": "llm-grader", "rubrics": items, "weight": len(items)}


def items_of(stated: Any, *, takes_texts: bool) -> list[Document]:
    """The items of a checklist; those that say nothing are left out. Raises Fatal for settings that make no sense."""
    found = []
    for number, item in enumerate(listing(stated), start=1):
        if isinstance(item, str) and takes_texts:
            item = {"outcome": item}
        if isinstance(item, dict):
            settled = _item(item, number)
            if settled is not None:
                found.append(settled)
    return found


def _item(item: Document, number: int) -> Document | None:
    own, weight, required = item.get("id"), item.get("weight"), item.get("required")
    outcome = next((item[name] for name in ("outcome", "criteria") if isinstance(item.get(name), str)), "")
    found: Document = {
        "id": own if isinstance(own, str) else f"rubric-{number}",
        "weight": weight if is_number(weight) else 1,
        **({"outcome": outcome} if outcome else {}),
        **({"operator": item["operator"]} if item.get("operator") in OPERATORS else {}),
        **({"required": required} if isinstance(required, bool) else {}),
        **_least(item),
    }
    if "score_ranges" in item:
        return {**found, "score_ranges": ranges_of(item["score_ranges"])}
    return {"required": True, **found} if outcome else None


def _least(item: Document) -> Document:
    """The share of the points that an item needs, from either way of saying it. Raises Fatal."""
    least, points = item.get("min_score"), item.get("required_min_score")
    if is_number(least):
        if not is_share(least):
            raise Fatal("the min_score of a criterion is not above 0 and at most 1")
        return {"min_score": least}
    if is_number(points):
        if not is_whole(points) or not 0 <= points <= TOP:
            raise Fatal(f"the required_min_score of a criterion is no whole number from 0 to {TOP}")
        return {"min_score": points / TOP}
    return {}


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number, 3.0 among them."""
    return is_number(value) and (isinstance(value, int) or value.is_integer())


def ranges_of(stated: Any) -> list[Document]:
    """Score ranges, sorted, from either form. Raises Fatal unless they cover 0 to 10 without gap or overlap."""
    ranges = _from_bounds(stated) if isinstance(stated, dict) else _from_list(stated)
    after = 0
    for each in ranges:
        low, high = each["score_range"]
        if low < after:
            raise Fatal("score ranges overlap")
        if low > after or high < low:
            raise Fatal("score ranges leave a gap")
        after = high + 1
    if after != TOP + 1:
        raise Fatal("score ranges do not cover 0 to 10")
    return ranges


def _from_bounds(stated: Document) -> list[Document]:
    if not stated or not all(key.isdecimal() and len(key) < 3 for key in stated):
        raise Fatal("a score range does not begin with a whole number")
    lows = sorted(int(key) for key in stated)
    texts = {int(key): value for key, value in stated.items()}
    ends = [low - 1 for low in lows[1:]] + [TOP]
    return [{"score_range": [low, end], "outcome": _outcome(texts[low])} for low, end in zip(lows, ends, strict=True)]


def _from_list(stated: Any) -> list[Document]:
    found = []
    for item in listing(stated):
        bounds = item.get("score_range") if isinstance(item, dict) else None
        if not isinstance(bounds, list) or len(bounds) != 2 or not all(map(is_whole, bounds)):
            raise Fatal("a score range is no pair of whole numbers")
        found.append({"score_range": bounds, "outcome": _outcome(item.get("outcome"))})
    return sorted(found, key=lambda each: each["score_range"][0])


def _outcome(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise Fatal("a score range has no outcome")
    return value
