"""The sample packs that a new team starts with."""

from pathlib import Path

from packs.editing.draft import Author
from packs.formats.archives import read_path
from packs.importing.writing import import_pack
from packs.models import Pack, Team
from packs.publish import publish

SAMPLES = Path(__file__).resolve().parent.parent / "samples"


def seed(team: Team, user: Author) -> list[Pack]:
    """Import and publish every sample pack that the team does not have yet; gives the new ones."""
    made = []
    for path in sorted(SAMPLES.iterdir()):
        if not Pack.objects.filter(team=team, slug=path.stem).exists():
            files, _ = read_path(path)
            row = import_pack(team, user, files, path.name, slug=path.stem)
            publish(row, user, notes="A sample pack to start with.")
            made.append(row)
    return made
