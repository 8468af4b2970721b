"""Typed reading of a grader's configuration."""

from collections.abc import Collection, Mapping
from typing import Any

from runs.grading.graders.values import is_number


class BadSettings(ValueError):
    """A configuration that the pack's author must fix."""


class Settings:
    """The members of a configuration, read with their types.

    A member that is absent or null has its default. Every reader raises BadSettings for a value of another type.
    """

    def __init__(self, config: Mapping[str, Any] | None, known: Collection[str] | None = None) -> None:
        """Raises BadSettings when `known` is given and the configuration has another member."""
        self._config = {} if config is None else config
        self.is_given = config is not None
        if not isinstance(self._config, Mapping):
            raise BadSettings("config must be a map")
        unknown = set(self._config) - set(known) if known is not None else set()
        if unknown:
            raise BadSettings(f"config has unknown members: {', '.join(sorted(unknown))}")

    def value(self, name: str) -> Any:
        """A member of any type, None when it is absent."""
        return self._config.get(name)

    def has(self, name: str) -> bool:
        """Whether a member is stated, be it as null."""
        return name in self._config

    def number(self, name: str) -> float | None:
        value = self._config.get(name)
        if value is None:
            return None
        if not is_number(value):
            raise BadSettings(f"config.{name} must be a number")
        return float(value)

    def whole(self, name: str) -> int | None:
        number = self.number(name)
        if number is None:
            return None
        if not number.is_integer():
            raise BadSettings(f"config.{name} must be a whole number")
        return int(number)

    def flag(self, name: str, default: bool = False) -> bool:
        value = self._config.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise BadSettings(f"config.{name} must be true or false")
        return value

    def text(self, name: str, default: str = "") -> str:
        """A text; an empty one counts as absent."""
        value = self._config.get(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise BadSettings(f"config.{name} must be text")
        return value or default

    def choice(self, name: str, *options: str) -> str:
        """One of some texts, the first of which is the default."""
        value = self.text(name, options[0])
        if value not in options:
            raise BadSettings(f"config.{name} must be one of {', '.join(options)}, not {value!r}")
        return value

    def texts(self, name: str) -> list[str]:
        value = self._config.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise BadSettings(f"config.{name} must be a list of texts")
        return value

    def share(self, name: str, default: float) -> float:
        """A number that is taken as 0 when below and as 1 when above."""
        number = self.number(name)
        return default if number is None else min(1.0, max(0.0, number))

    def positive(self, name: str, default: float) -> float:
        number = self.number(name)
        if number is not None and not number > 0:
            raise BadSettings(f"config.{name} must be greater than 0")
        return default if number is None else number

    def count(self, name: str, default: int) -> int:
        """A whole number above 0."""
        number = self.whole(name)
        if number is not None and number <= 0:
            raise BadSettings(f"config.{name} must be greater than 0")
        return default if number is None else number
