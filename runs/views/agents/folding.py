"""The fields of a form in two parts: those that are needed or say something, and those that can stay as they are."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.forms import BaseForm
from django.forms.boundfield import BoundField


@dataclass(frozen=True, slots=True)
class Folded:
    """`more` waits behind a fold; an error opens its field."""

    opened: tuple[BoundField, ...]
    more: tuple[BoundField, ...]


def fold(form: BaseForm, usual: Mapping[str, Any], always: Collection[str] = ()) -> Folded:
    """The fields of a form: open are those of `always`, required ones, and those with an error or an unusual value."""
    fields = tuple(form)
    opened = tuple(field for field in fields if field.name in always or _is_open(field, usual.get(field.name)))
    return Folded(opened, tuple(field for field in fields if field not in opened))


def _is_open(field: BoundField, usual: Any) -> bool:
    value = field.value()
    is_usual = value is False or value in (None, "") or str(value) == str(usual)
    is_needed = field.field.required and usual in (None, "")
    return is_needed or bool(field.errors) or not is_usual
