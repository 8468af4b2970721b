"""A node's page as a browser without JavaScript uses it."""

import re
from html.parser import HTMLParser
from urllib.parse import urlencode

from packs.formats.document import NodeKind
from packs.forms.sections import sections_of
from packs.mirror import format_of
from tests.packs.forms.pages import Controls


class FormOnPage(HTMLParser):
    """The markup of the form with id `editor`."""

    def __init__(self):
        super().__init__(convert_charrefs=False)
        self.parts, self.depth = [], 0

    def handle_starttag(self, tag, attributes):
        if tag == "form" and dict(attributes).get("id") == "editor":
            self.depth = 1
        if self.depth:
            self.parts.append(self.get_starttag_text())

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if self.depth:
            self.parts.append(f"</{tag}>")
        if tag == "form":
            self.depth = 0

    def handle_data(self, data):
        if self.depth:
            self.parts.append(data)

    def handle_entityref(self, name):
        self.handle_data(f"&{name};")

    def handle_charref(self, name):
        self.handle_data(f"&#{name};")


class Page:
    """What a browser shows at a node's address; `controls` are what it would submit."""

    def __init__(self, client, draft, path, query=None):
        self.client, self.draft = client, draft
        self.base = f"/packs/{draft.team.slug}/{draft.slug}/edit/"
        self.path = path
        self.address = f"{self.base}{path}/" + (f"?{urlencode(query)}" if query else "")
        self.read(client.get(self.address))

    @staticmethod
    def sections_of(draft):
        return [section.key for section in sections_of(format_of(draft).SCHEMA[NodeKind.PACK])]

    def read(self, response):
        self.response = response
        self.html = response.content.decode() if "html" in response.get("Content-Type", "") else ""
        form = FormOnPage()
        form.feed(self.html)
        controls = Controls()
        controls.feed("".join(form.parts))
        self.controls = dict(controls.pairs)
        return self

    def fill(self, **values):
        """Change controls by the end of their names: `fill(**{"/inputs/0/key": "prompt"})`."""
        for end, value in values.items():
            names = [name for name in self.controls if name.partition(":")[2] == end and name[0] in "tnbj"]
            assert names, (end, sorted(self.controls))
            self.controls[names[0]] = value
        return self

    def send(self, do="", **more):
        pressed = {"do": do} if do else {}
        return self.read(self.client.post(self.address, {**self.controls, **pressed, **more}, follow=True))

    def live(self, at, seen=None, **pairs):
        """What the script posts when a field was changed."""
        data = {"at": at, "seen": self.controls["seen"] if seen is None else seen, **pairs}
        return self.client.post(f"{self.base}{self.path}/field/", data, headers={"HX-Request": "true"})

    @property
    def codes(self):
        return re.findall(r'data-code="([^"]+)"', self.html)
