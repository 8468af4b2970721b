"""The order of cases by a value of their documents.

Numbers come first, then texts (of letters only A to Z count the same in both cases), no and yes, lists and mappings by
their JSON; cases without a value are always last, and cases with the same value stay in the order of their set. The
database sorts, for it need not hand over every document; `ordered` does the same with values that are at hand.
"""

import re
from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from packs.columns import encode
from packs.editing.values import ABSENT
from packs.formats.findings import from_pointer
from packs.models import Case

# Steps that a database reads in another way than we do: indices of lists, and names that JSON has to escape.
_UNLIKE_NAMES = re.compile(r'\s*[-+]?\d+\s*|\[.*\]|.*["\\\x00-\x1f].*|', re.DOTALL)
# Kinds of values, each as SQLite or PostgreSQL calls it, in their order.
_KINDS = (("integer", "real", "number"), ("text", "string"), ("false", "true", "boolean"), ("array", "object"))
_SORTED = {
    # A document that begins with a blank is one that only the standard library could write; SQLite is not asked of it.
    "sqlite": """
        WITH asked(path, inherited) AS (SELECT %s, %s), given(pk, place, document) AS ({given})
        SELECT pk, kind FROM (
            SELECT pk, place,
                CASE WHEN document < '!' THEN 0
                ELSE CASE coalesce(nullif(json_type(document, path), 'null'), json_type(inherited)) {kinds} END
                END AS kind,
                CASE WHEN document >= '!'
                THEN coalesce(json_extract(document, path), json_extract(inherited, '$')) END AS value
            FROM given, asked
        ) ORDER BY kind, value COLLATE NOCASE {direction}, place, pk LIMIT {limit}
    """,
    # The same; and PostgreSQL has no texts with U+0000. OFFSET keeps a layer from being merged with the next one, where
    # its values would be worked out several times.
    "postgresql": r"""
        WITH asked(path, inherited) AS (SELECT %s::text[], %s::json), given(pk, place, document) AS ({given})
        SELECT pk, kind FROM (
            SELECT pk, place,
                CASE WHEN odd THEN 0 ELSE CASE json_typeof(value) {kinds} END END AS kind,
                CASE json_typeof(value) WHEN 'number' THEN (value #>> '{{}}')::numeric END AS number,
                CASE WHEN json_typeof(value) <> 'number' THEN lower((value #>> '{{}}') COLLATE "C") END AS words
            FROM (
                SELECT pk, place, odd, CASE WHEN json_typeof(own) <> 'null' THEN own ELSE inherited END AS value
                FROM (
                    SELECT pk, place, odd, CASE WHEN NOT odd THEN document::json #> path END AS own, inherited
                    FROM (
                        SELECT pk, place, document, left(document, 1) = ' ' OR strpos(document, '\u0000') > 0 AS odd
                        FROM given
                    ) AS looked, asked OFFSET 0
                ) AS found OFFSET 0
            ) AS filled OFFSET 0
        ) AS typed ORDER BY kind, number {direction}, words COLLATE "C" {direction}, place, pk LIMIT {limit}
    """,
}


def sorted_ids(
    rows: QuerySet[Case], pointer: str, inherited: Any, *, descending: bool, limit: int | None = None
) -> list[int] | None:
    """The ids of the first `limit` cases in the order of a column; None where the database cannot tell for certain.

    `inherited` is the value of the cases that have none of their own; ABSENT for none.
    """
    steps, other = from_pointer(pointer), encode(None if inherited is ABSENT else inherited)
    if any(map(_UNLIKE_NAMES.fullmatch, steps)) or other.startswith(" ") or "\\u0000" in other:
        return None
    if rows.query.is_empty():
        return []
    vendor = connection.vendor
    path = "$" + "".join(f'."{step}"' for step in steps) if vendor == "sqlite" else list(steps)
    given, parameters = rows.order_by().values_list("pk", "position", "document").query.sql_with_params()
    query = _SORTED[vendor].format(
        given=given,
        kinds=_kinds(descending=descending),
        direction="DESC" if descending else "ASC",
        limit={"sqlite": "-1", "postgresql": "ALL"}[vendor] if limit is None else limit,
    )
    with connection.cursor() as cursor:
        cursor.execute(query, (path, other, *parameters))
        found = cursor.fetchall()
    # Odd ones come first, whatever the direction.
    return None if found and found[0][1] == 0 else [pk for pk, _ in found]


def _kinds(*, descending: bool) -> str:
    """The places of the kinds in SQL, from 1."""
    kinds = _KINDS[::-1] if descending else _KINDS
    named = [f"WHEN '{name}' THEN {place}" for place, kind in enumerate(kinds, 1) for name in kind]
    return f"{' '.join(named)} ELSE {len(kinds) + 1}"


def ordered(values: Iterable[tuple[Any, int]], *, descending: bool) -> list[int]:
    """The ids of cases in the order of their values: pairs of value and id, in the order of the set."""
    some: list[tuple[tuple[int, float, bytes], int]] = []
    nothing: list[int] = []
    for value, pk in values:
        rank = _rank(value)
        if rank is None:
            nothing.append(pk)
        else:
            some.append((rank, pk))
    some.sort(key=itemgetter(0), reverse=descending)
    return [pk for _, pk in some] + nothing


def _rank(value: Any) -> tuple[int, float, bytes] | None:
    """The place of a value among others, its kind first; None where there is none."""
    if value is ABSENT or value is None:
        return None
    if isinstance(value, bool):
        return 2, value, b""
    if isinstance(value, int | float):
        return 0, value, b""
    if isinstance(value, str):
        return 1, 0, value.encode("utf-8", "surrogatepass").lower()
    return 3, 0, encode(value).encode("utf-8", "surrogatepass").lower()
