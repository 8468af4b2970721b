"""The keys that add to the lists of a form: `a`, then a letter of what is added."""

from dataclasses import replace

from packs.forms.fields import NAMELESS, Field, Widget

ADD = "a"


def with_shortcuts(root: Field) -> Field:
    """A form in which each gallery and list at its top has keys of its own, galleries first."""
    top = [root, *root.fields, *root.more]
    taken: dict[str, str] = {}
    for field in sorted((each for each in top if _adds(each)), key=lambda each: not each.has_kinds):
        letter = next((letter for letter in _word(field).lower() if letter.isalpha() and letter not in taken), "")
        if letter:
            taken[letter] = field.pointer
    keys = {pointer: f"{ADD} {letter}" for letter, pointer in taken.items()}
    fields, more = (tuple(_keyed(each, keys) for each in part) for part in (root.fields, root.more))
    return replace(_keyed(root, keys), fields=fields, more=more)


def _adds(field: Field) -> bool:
    return field.has_kinds or field.widget is Widget.ITEMS


def _word(field: Field) -> str:
    """What is added; a gallery for a whole form chooses its check. Items without a name go by that of their list."""
    if field.has_kinds:
        return field.noun or "check"
    return field.item_title if field.item_title != NAMELESS else field.title


def _keyed(field: Field, keys: dict[str, str]) -> Field:
    return replace(field, shortcut=keys[field.pointer]) if field.pointer in keys else field
