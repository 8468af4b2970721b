#!/usr/bin/env python3
"""Packwright's command line."""

import atexit
import gc
import os
import sys
from importlib import import_module

# Commands that need no database run without Django: it would triple the time that they take to start.
WITHOUT_DATABASE = {
    ("pack", "check"): "packs.formats.command",
    ("pack", "fmt"): "packs.formats.command",
    ("pack", "compile"): "packs.formats.command",
    ("pack", "stored"): "packs.formats.command",
    ("pack", "prove"): "runs.proof.command",
    ("run", "grade"): "runs.management.grading",
}
# Commands that show no page, and load none of the apps that only pages need.
WITHOUT_PAGES = ("pack", "run")


def main() -> int:
    # Imports make objects by the hundred thousand and no garbage; looking for it takes a tenth of the start.
    gc.set_threshold(200_000)
    # Nor is there any in what a process leaves: the end looks at no object again.
    atexit.register(gc.freeze)
    module = WITHOUT_DATABASE.get(tuple(sys.argv[1:3]))
    if module is not None:
        return int(import_module(module).main(sys.argv[2:]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")
    if sys.argv[1:2] and sys.argv[1] in WITHOUT_PAGES:
        settings = import_module("django.conf").settings
        settings.INSTALLED_APPS = [app for app in settings.INSTALLED_APPS if app not in settings.APPS_OF_PAGES]
    import_module("django.core.management").execute_from_command_line(sys.argv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
