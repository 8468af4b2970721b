"""The page docs/findings.md, made from the rules that the code declares; `python -m tests.findings_page` writes it."""

import importlib
import pkgutil
from itertools import groupby
from pathlib import Path

import packs.formats
from packs.formats.findings import Rule

PAGE = Path(__file__).resolve().parent.parent / "docs" / "findings.md"

HEAD = """# Findings

Everything that Packwright can say about the content of a pack. Each finding has a code that never changes its
meaning and is never used again. The letter after the dot is how much it matters: an error (E) stops publishing; a
warning (W) says that something probably is not meant; a note (N) is good to know. `…` stands for what the finding
names. The rule is what the format's specification calls it; advice of our own has none.

This page is made from the code: `python -m tests.findings_page`."""


def declared_rules():
    """Every rule that a module of the formats declares, by its code."""
    names = [info.name for info in pkgutil.walk_packages(packs.formats.__path__, "packs.formats.")]
    modules = [importlib.import_module(name) for name in names if not name.endswith("__main__")]
    stated = [value for module in modules for value in vars(module).values()]
    found = [rule for value in stated for rule in (value.values() if isinstance(value, dict) else [value])]
    rules = {rule.code: rule for rule in found if isinstance(rule, Rule)}
    return [rules[code] for code in sorted(rules, key=order)]


def order(code):
    prefix, _, tail = code.rpartition(".")
    return prefix, "EWN".index(tail[0]), tail


class Named:
    """What stands for a value that a finding names."""

    def __format__(self, form):
        return "…"

    def __repr__(self):
        return "…"


class AnyValue(dict):
    def __missing__(self, name):
        return Named()


def plain(text):
    """The words of a rule for a reader, without anything that ends a cell of the table."""
    return text.format_map(AnyValue()).replace("|", "\\|") or "–"


def line(rule):
    return f"| `{rule.code}` | {rule.rule or '–'} | {plain(rule.message)} | {plain(rule.hint)} |"


def render():
    parts = [HEAD]
    for prefix, rules in groupby(declared_rules(), key=lambda rule: rule.code.rpartition(".")[0]):
        parts += [f"\n## {prefix}\n", "| Code | Rule | What is wrong | What to do |", "| --- | --- | --- | --- |"]
        parts += [line(rule) for rule in rules]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(render())
