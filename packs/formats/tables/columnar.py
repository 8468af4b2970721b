"""Parquet as a table. Reading it needs pyarrow, which is an extra of the studio."""

import base64
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, time, timedelta
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any

from packs.formats.findings import Finding
from packs.formats.later import Later
from packs.formats.tables.objects import Objects, gathered

if TYPE_CHECKING:
    import pyarrow as arrow
    from pyarrow import parquet
else:
    arrow, parquet = Later("pyarrow"), Later("pyarrow.parquet")

MARK = b"PAR1"
# Bytes that the columns of a file may take once they are unpacked, and records that are unpacked at a time.
MAX_BYTES = 512 * 1024 * 1024
BATCH = 1000
NEEDS = (
    "Parquet needs pyarrow, which is not installed here. Install requirements-parquet.lock (the extra "
    "packwright[parquet]), or save the table as CSV or JSONL."
)
TOO_LARGE = f"The table takes more than {MAX_BYTES // 1024 // 1024} MB once it is unpacked. Split it."


def read_parquet(data: bytes, first: int | None = None) -> Objects:
    """The first records of a file, or all. Numbers of lines are those of records, from 1. Never raises."""
    try:
        return gathered(islice(_rows(data), first))
    except ImportError:
        return Objects((), (), ((0, NEEDS),))
    except (arrow.ArrowException, ValueError, OSError, OverflowError) as error:
        return Objects((), (), ((0, f"This Parquet file cannot be read: {str(error).partition(chr(10))[0]}"),))


def _rows(data: bytes) -> Iterator[tuple[int, Any, list[Finding]]]:
    file = parquet.ParquetFile(arrow.BufferReader(data))
    about = file.metadata
    if sum(about.row_group(at).total_byte_size for at in range(about.num_row_groups)) > MAX_BYTES:
        raise ValueError(TOO_LARGE)
    number = 0
    for batch in file.iter_batches(batch_size=BATCH, use_threads=False):
        for record in batch.to_pylist():
            number += 1
            yield number, _as_json(record), []


def _as_json(value: Any) -> Any:
    """A value of Parquet as one of JSON. What is null in a record is not there."""
    match value:
        case dict():
            return {str(key): _as_json(item) for key, item in value.items() if not _is_nothing(item)}
        case list() | tuple():
            return [_as_json(item) for item in value]
    say = next((say for kind, say in _SAYINGS if isinstance(value, kind)), None)
    return say(value) if say else None if _is_nothing(value) else value


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def _number(value: Decimal) -> Any:
    """The number where JSON holds it exactly, else its digits."""
    if not value.is_finite():
        return None
    found = int(value) if value == value.to_integral_value() else float(value)
    return found if Decimal(repr(found)) == value and abs(value) < 2**63 else str(value)


def _text(value: bytes) -> str:
    """Bytes as text, as Base64 where they are none."""
    with suppress(UnicodeDecodeError):
        return value.decode("utf-8")
    return base64.b64encode(value).decode()


# How values that JSON does not know are said in it.
_SAYINGS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (Decimal, _number),
    ((date, time), lambda value: value.isoformat()),
    (timedelta, timedelta.total_seconds),
    (bytes, _text),
)
