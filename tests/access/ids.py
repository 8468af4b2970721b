"""The ids of a page, and what refers to them."""

from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser

REFERENCES = ("for", "form", "list", "aria-labelledby", "aria-describedby")


class _Ids(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.stated: Counter[str] = Counter()
        self.wanted: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if "id" in values:
            self.stated[values["id"] or ""] += 1
        for name in REFERENCES:
            # An empty one refers to nothing as well.
            for wanted in (values[name] or " ").split(" ") if name in values else ():
                self.wanted.setdefault(wanted, f"{name} of {tag}")
        if tag == "a" and (values.get("href") or "").startswith("#"):
            self.wanted.setdefault((values["href"] or "")[1:], "link")

    handle_startendtag = handle_starttag


def loose_ends(text: str) -> Iterator[str]:
    """Ids that a whole page states twice, and references to ids that it does not state."""
    if "<html" not in text[:200]:
        return
    page = _Ids()
    page.feed(text)
    yield from (f"{name!r} is there {count} times" for name, count in page.stated.items() if count > 1)
    yield from (f"{name!r} is not there ({where})" for name, where in page.wanted.items() if name not in page.stated)
