"""How long checking and writing challenge packs takes, next to PyYAML's bare C event stream of the same file.

`python -m benchmarks.check [CASES ...]`, by default 10, 1,000 and 10,000. Exits with 1 when checking 10,000 cases or
more takes over four times the processor time of the event stream.
"""

import re
import sys

from benchmarks.measuring import compare, table
from benchmarks.packs import simple_pack
from packs.formats import adapter_of
from packs.formats.checking import check_files
from packs.formats.yamlio import GO_YAML, read
from packs.formats.yamlio.events import event_source

SIZES = (10, 1_000, 10_000)
ROUNDS = 5
LIMIT = 4.0
FLOOR = "bare events"


def bare_events(data: bytes) -> None:
    get = event_source(data)
    try:
        while True:
            get()
    except StopIteration:
        return


def reading(data: bytes) -> None:
    read(data, dialect=GO_YAML)


def checking(data: bytes) -> None:
    check_files({"pack.yaml": data})


def formatting(data: bytes) -> None:
    adapter = adapter_of("challenge_pack")
    pack, _ = adapter.load({"pack.yaml": data})
    if pack is not None:
        adapter.dump(pack)


def numbered(data: bytes) -> bytes:
    """The same pack with numbers for the keys of its cases, which their reader has to keep as texts."""
    return re.sub(rb"case_key: parcel-0*([0-9])", rb"case_key: \1", data)


ACTS = {FLOOR: bare_events, "read": reading, "check": checking, "fmt": formatting}


def main(arguments: list[str]) -> int:
    is_slow = False
    for cases in [int(argument) for argument in arguments] or SIZES:
        data = simple_pack(cases)
        for kind, text in {"Challenge pack": data, "Keys without quotes": numbered(data)}.items():
            costs = compare(ACTS, text, ROUNDS)
            print(table(kind, cases, costs, FLOOR))
            is_slow |= cases >= max(SIZES) and costs["check"].cpu > LIMIT * costs[FLOOR].cpu
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
