"""The administration has the colours of the site."""

from pathlib import Path

from django.conf import settings

from studio.curation_theme import UNFOLD


def test_its_grounds_and_accents_are_those_of_the_site():
    tokens = (Path(settings.BASE_DIR) / "static/src/css/tokens.css").read_text()
    colours = UNFOLD["COLORS"]
    shown = [colours["base"][step] for step in ("50", "900", "950")] + [
        colours["primary"][step] for step in ("400", "600")
    ]
    assert [colour for colour in shown if colour not in tokens] == []
