"""Benchmarks that need the database: each in a process, a database and files of its own.

`python -m benchmarks.database MODULE [ARGUMENT ...]` runs one with arguments.
"""

import os
import sys
import tempfile
from importlib import import_module
from multiprocessing import get_context
from typing import Any

import django
from django.core.management import call_command


def run_alone(module: str, *arguments: Any, address: str = "") -> Any:
    """Run `run()` of a module with arguments, in a fresh process on an empty database; gives what that gives.

    `address` is that of the database; SQLite without one.
    """
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(prepared, (address, module, *arguments))


def prepared(address: str, module: str, *arguments: Any) -> Any:
    with tempfile.TemporaryDirectory(prefix="packwright-bench-") as folder:
        os.environ["PACKWRIGHT_VAR"] = folder
        os.environ["DATABASE_URL"] = address or f"sqlite:///{folder}/bench.sqlite3"
        os.environ["DJANGO_SETTINGS_MODULE"] = "studio.settings"
        django.setup()
        call_command("migrate", verbosity=0)
        return import_module(module).run(*arguments)


if __name__ == "__main__":
    sys.exit(run_alone(*sys.argv[1:]))
