"""Many writers on one draft in a SQLite file, as web threads and workers are; runs in a process of its own."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.services import migrated

WRITERS = 20
EDITS = 8


def outcomes(folder: str) -> dict[str, Any]:
    """What came of it: errors of the writers, the draft's revision, edits, and the values that stand in the case."""
    shutil.copy(migrated(), Path(folder, "draft.sqlite3"))
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(write_together, (folder,))


def write_together(folder: str) -> dict[str, Any]:
    os.environ["PACKWRIGHT_VAR"] = folder
    os.environ["DATABASE_URL"] = f"sqlite:///{folder}/draft.sqlite3"
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import_module("django").setup()
    models, drafts = import_module("packs.models"), import_module("tests.packs.drafts")
    draft = drafts.draft_of(models.Team.objects.create(slug="t", name="T"))
    case = draft.cases.first()
    with ThreadPoolExecutor(WRITERS) as pool:
        errors = [error for found in pool.map(write, [draft.pk] * WRITERS, range(WRITERS)) for error in found]
    case.refresh_from_db()
    draft.refresh_from_db()
    return {
        "errors": errors,
        "revision": draft.revision,
        "edits": models.Edit.objects.count(),
        "values": {key: value for key, value in case.document.items() if key.startswith("x-writer")},
        "counted": draft.problem_errors,
        "stored": sum(models.Case.objects.values_list("error_count", flat=True)),
    }


def write(draft_pk: int, number: int) -> list[str]:
    """Edit a field of one's own again and again; gives the errors."""
    models, editing = import_module("packs.models"), import_module("packs.editing")
    errors = []
    try:
        draft = models.Pack.objects.get(pk=draft_pk)
        case = draft.cases.first()
        seen = draft.revision
        for value in range(EDITS):
            change = editing.Change(case.kind, case.pk, f"/x-writer-{number}", value)
            applied = editing.apply(draft, [change], None, seen)
            errors += ["conflict"] * len(applied.conflicts)
            seen = applied.revision
    except Exception as error:  # noqa: BLE001 - whatever a writer meets is the outcome that the test looks at
        errors.append(repr(error))
    finally:
        import_module("django.db").connection.close()
    return errors
