"""What axe says of a page as it stands."""

from tests.services import ROOT

SOURCE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text()
SERIOUS = ("serious", "critical")


def troubles(page, *, least=SERIOUS):
    """What axe finds in both themes, serious or worse unless `least` is None for all: rule -> elements."""
    found = {}
    page.evaluate(SOURCE)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        rules = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations)")
        found |= {
            f"{theme} {rule['id']}": [node["html"][:150] for node in rule["nodes"]]
            for rule in rules
            if least is None or rule["impact"] in least
        }
    return found
