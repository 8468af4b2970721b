"""The samples of findings: a base pack in which each entry under tests/fixtures replaces something."""

from dataclasses import replace
from pathlib import Path

import orjson

from packs.formats import benchmark_pack, yamlio
from packs.formats.document import Asset, InputSet

FOLDER = Path(__file__).resolve().parents[3] / "fixtures" / "benchmark_pack"
MANIFEST = {"id": "demo", "version": 1, "defaults": {"family": "short_answer", "environment": {"image": "i"}}}
ROW = {"id": "a", "input": {"question": "Which hub holds it?"}, "eval": {"accepted_answers": ["Leeds"]}}


def entries():
    """Every sample: its code, what it replaces, the place of its finding, and codes that come along."""
    found = []
    for path in sorted((FOLDER / "findings").glob("*.yaml")):
        value, findings = yamlio.read(path.read_bytes(), file=path.name, dialect=yamlio.CORE_12)
        assert findings == [], path
        found += value
    return found


def pack_files(manifest=None, rows=(ROW,), beside=None, lines=()):
    """The files of a small pack."""
    text = lines or [orjson.dumps(row).decode() for row in rows]
    return {
        "manifest.yaml": yamlio.write({**MANIFEST, **(manifest or {})}).encode(),
        "tasks.jsonl": "".join(f"{line}\n" for line in text).encode(),
        **{name: content.encode() for name, content in (beside or {}).items()},
    }


def files_of(entry):
    if "files" in entry:
        return {name: text.encode() for name, text in entry["files"].items()}
    files = pack_files(entry.get("manifest"), entry.get("rows", [ROW]), entry.get("beside"), entry.get("lines", ()))
    inside = {name for name in files if name not in entry.get("beside", {})}
    return {(entry["under"] + name if "under" in entry and name in inside else name): files[name] for name in files}


def pack_of(entry):
    """The pack of an entry; some stand for what only an editor can make of a pack."""
    pack, findings = benchmark_pack.load(files_of(entry))
    if "asset" in entry:
        pack = replace(pack, assets=(Asset(entry["asset"], entry["asset"], {"path": entry["asset"]}, b""),))
    for number, name in enumerate([entry["set"]] if "set" in entry else entry.get("sets", ())):
        kept = pack.input_sets if number else ()
        pack = replace(pack, input_sets=(*kept, InputSet(name, {"file": name}, ())))
    return pack, findings


# A whole row of each family, without its id.
STARTS = {
    "multiple_choice": {
        "input": {"question": "Which of these is a prime number?", "choices": ["21", "23", "25"]},
        "eval": {"answer": 1},
    },
    "short_answer": {
        "input": {"question": "Which hub holds the parcel?"},
        "eval": {"accepted_answers": ["Leeds"]},
    },
    "free_response": {
        "input": {"prompt": "Why does the parcel wait?"},
        "eval": {"rubric": {"type": "contains_any", "accepted_answers": ["missing label"]}},
    },
    "code_completion": {
        "input": {"prompt": "Write double(x)."},
        "eval": {"tests": {"source": "inline", "code": "assert double(4) == 8\n"}},
    },
    "repo_patch": {
        "input": {"repo": "example/project", "base_commit": "HEAD", "instructions": "Fix add()."},
        "eval": {
            "tests": {
                "source": "command",
                "command": ["python", "-m", "unittest"],
                "workdir": "/testbed",
                "candidate_policy": {"allow_paths": ["src/"]},
            }
        },
    },
    "terminal_task": {
        "input": {"instructions": "Create the file done.txt."},
        "eval": {"checker": {"command": "test -f done.txt"}},
    },
}
