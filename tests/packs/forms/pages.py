"""What a browser does with a form: draws it with the real templates, and submits its controls."""

from html.parser import HTMLParser

from django.template.loader import render_to_string

from packs.forms.encoding import decode
from packs.forms.pointers import in_order_of


def draw(field):
    return render_to_string("packs/workbench/fields/field.html", {"field": field})


class Controls(HTMLParser):
    """The names and values that a browser would submit without any button pressed (HTML, "form submission")."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.pairs, self.text, self.select = [], None, None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "input":
            self.take_input(values)
        elif tag == "textarea":
            self.text = [values.get("name"), ""]
        elif tag == "select":
            self.select = [values["name"], None]
        elif tag == "option" and self.select is not None:
            first = self.select[1] is None
            if first or "selected" in values:
                self.select[1] = values["value"]

    handle_startendtag = handle_starttag

    def take_input(self, values):
        if values.get("type") == "checkbox" and "checked" not in values:
            return
        value = values.get("value") or ""
        if values.get("type") != "hidden":
            value = value.replace("\r", "").replace("\n", "")
        self.pairs.append((values["name"], value))

    def handle_data(self, data):
        if self.text is not None:
            self.text[1] += data

    def handle_endtag(self, tag):
        if tag == "textarea":
            name, value = self.text
            self.pairs += [(name, value.removeprefix("\n"))] if name else []
            self.text = None
        elif tag == "select":
            self.pairs.append((self.select[0], self.select[1] or ""))
            self.select = None


def submitted(html):
    """The pairs as the server gets them: markup knows no CR and no NUL, and line breaks travel as CR LF."""
    controls = Controls()
    controls.feed(html.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\N{REPLACEMENT CHARACTER}"))
    controls.close()
    return [
        (name.encode("utf-8", "replace").decode(), value.replace("\n", "\r\n").encode("utf-8", "replace").decode())
        for name, value in controls.pairs
    ]


def through_browser(field, document):
    """The document that comes back from a form that nobody touched."""
    return in_order_of(document, decode(submitted(draw(field)), field.pointer).value)
