"""`python -m benchmarks [NAME ...]`: run the named benchmarks, or all; exits with 1 when one misses its target.

What begins with the first `--` goes to the benchmark that is named: `python -m benchmarks size --trials 1000`.
"""

import sys

from benchmarks import check, crowd, proof, size, starts, survival
from benchmarks.database import run_alone

BENCHMARKS = {
    "check": check.main,
    "crowd": crowd.main,
    "drafts": lambda names: run_alone("benchmarks.drafts"),
    "feel": lambda names: run_alone("benchmarks.feel"),
    "gates": lambda names: run_alone("benchmarks.gates"),
    "jobs": lambda names: run_alone("benchmarks.jobs"),
    "proof": proof.main,
    "rows": lambda names: run_alone("benchmarks.rows"),
    "runs": lambda names: run_alone("benchmarks.runs"),
    "sandbox": lambda names: run_alone("benchmarks.sandbox"),
    "size": size.main,
    "starts": starts.main,
    "survival": survival.main,
    "waiting": lambda names: run_alone("benchmarks.waiting"),
    "workbench": lambda names: run_alone("benchmarks.workbench"),
}


def main(arguments: list[str]) -> int:
    at = next((place for place, word in enumerate(arguments) if word.startswith("--")), len(arguments))
    names, options = arguments[:at], arguments[at:]
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; choose from {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    return max(BENCHMARKS[name](options) for name in names or BENCHMARKS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
