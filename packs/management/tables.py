"""`manage.py pack table`: a table as a new pack, or into an input set of a draft."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User

from packs.formats import FORMATS
from packs.formats.beginning import ANSWERS
from packs.formats.tables import Table, read_table
from packs.grid.alike import alike_of
from packs.grid.beginnings import Recipe, asked_recipe, check, likely_recipe, make
from packs.grid.columns import columns_of, key_pointer
from packs.grid.merging import Merge, Merged, look_ahead
from packs.grid.naming import Unmappable, asked_mapping
from packs.grid.taking import create_from_table, refuse, take_table
from packs.grid.targets import ANSWER
from packs.importing import ImportRefused
from packs.management.answers import Misuse
from packs.management.lookup import find_pack
from packs.mirror import format_of
from packs.models import InputSet, Pack, Team


def add_arguments(command: ArgumentParser) -> None:
    command.add_argument("path", type=Path, help="CSV, TSV, JSON (a list of objects), JSONL or Parquet")
    command.add_argument("--title", help="name of the new pack (default: that of the file)")
    command.add_argument("--slug", default="", help="address of the new pack (default: made of its name)")
    command.add_argument("--format", choices=sorted(FORMATS), default="", help="format (default: guessed)")
    command.add_argument("--check", choices=list(ANSWERS), default="", help="how right answers are checked")
    command.add_argument("--into", metavar="SLUG", help="take the rows into this draft instead")
    command.add_argument("--input-set", default="", metavar="KEY", help="which input set of that draft")
    command.add_argument("--adds-only", action="store_true", help="leave cases alone whose key is there already")
    command.add_argument("--map", action="append", default=[], metavar="COLUMN=FIELD", help="what a column stands for")
    command.add_argument("--no-names", action="store_true", help="the first line of CSV is a row already")
    command.add_argument("--errors", action="store_true", help="take rows with errors too")
    command.add_argument("--dry-run", action="store_true", help="write nothing; say what would be")


def take(team: Team, user: User | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """What the table did, or would do.

    Raises Misuse, OSError, and ImportRefused with every line that stands in the way.
    """
    _refuse_unused(options)
    table = read_table(options["path"].read_bytes(), has_names=not options["no_names"])
    words = dict(_pair(text) for text in options["map"])
    try:
        return _into(team, user, options, table, words) if options["into"] else _new(team, user, options, table, words)
    except Unmappable as trouble:
        raise Misuse(str(trouble)) from trouble
    except ImportRefused as refused:
        named = (replace(each, file=options["path"].name) if each.line else each for each in refused.findings)
        raise ImportRefused(named, refused.code) from refused


def _refuse_unused(options: Mapping[str, Any]) -> None:
    of_new, of_draft = ("title", "slug", "format", "check"), ("input_set", "adds_only")
    names, whose = (of_new, "a new pack") if options["into"] else (of_draft, "a draft (--into)")
    if unused := [f"--{name.replace('_', '-')}" for name in names if options[name]]:
        raise Misuse(f"Only {whose} takes {', '.join(unused)}.")


def _pair(text: str) -> tuple[str, str]:
    name, sign, field = text.rpartition("=")
    if not sign:
        raise Misuse(f"Write --map COLUMN=FIELD, not {text!r}.")
    return name, field


def _new(
    team: Team, user: User | None, options: Mapping[str, Any], table: Table, words: Mapping[str, str]
) -> dict[str, Any]:
    title = options["title"] or options["path"].stem
    recipe = asked_recipe(likely_recipe(table, options["format"], title), table, words)
    if options["check"] and options["check"] not in recipe.adapter.FIRST_CHECKS:
        raise Misuse(f"{recipe.adapter.LABEL}s have no such check: {', '.join(recipe.adapter.FIRST_CHECKS)}.")
    recipe = replace(recipe, slug=options["slug"], check=options["check"] or recipe.check)
    if options["dry_run"]:
        found = check(recipe, make(recipe, table)).found
        refuse(found, takes_errors=options["errors"])
        return _facts(recipe, found)
    pack = create_from_table(team, user, recipe, table, takes_errors=options["errors"])
    return {
        "slug": pack.slug,
        "team": team.slug,
        **_facts(recipe, Merged(added=[{}] * pack.cases.count(), note=table.note)),
    }


def _facts(recipe: Recipe, found: Merged) -> dict[str, Any]:
    return {
        "format": recipe.format,
        "check": recipe.check,
        "mapping": dict(recipe.mapping),
        "added": len(found.added),
        "changed": len(found.rewritten),
        **({"note": found.note} if found.note else {}),
    }


def _into(
    team: Team, user: User | None, options: Mapping[str, Any], table: Table, words: Mapping[str, str]
) -> dict[str, Any]:
    pack = find_pack(team, options["into"])
    input_set = find_set(pack, options["input_set"])
    mapping = asked_mapping(table, input_set, columns_of(format_of(pack), input_set), words)
    kind = alike_of(input_set).check if ANSWER in mapping.values() else ""
    way = Merge(pack, input_set, mapping, key_pointer(format_of(pack)), adds_only=options["adds_only"])
    if options["dry_run"]:
        found = way.of(table)
        look_ahead(way, found)
        refuse(found, takes_errors=options["errors"])
    else:
        found = take_table(way, user, table, options["path"].name, takes_errors=options["errors"])
    return {"slug": pack.slug, "team": team.slug, **_facts(Recipe(pack.format, check=kind, mapping=mapping), found)}


def find_set(pack: Pack, key: str) -> InputSet:
    """The input set of a key, or the only one. Raises Misuse."""
    rows = InputSet.objects.select_related("pack").filter(pack=pack)
    found = list(rows.filter(key=key) if key else rows)
    if len(found) != 1:
        known = ", ".join(rows.values_list("key", flat=True)) or "none"
        raise Misuse(f"Name one input set with --input-set. Input sets of {pack.slug}: {known}.")
    only: InputSet = found[0]
    return only
