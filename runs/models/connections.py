"""Connections: places where models answer, as administrators have set them up."""

from collections.abc import Mapping
from typing import Any, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils import timezone

from packs.access import TeamScopedQuerySet
from packs.columns import DocumentField
from packs.models import Team
from runs.agents.endpoints.contract import ModelPrice
from runs.models.agents import Agent
from runs.models.sealing import SealedField, Unsealable, seal, unseal
from runs.replay.redaction import can_be_hidden

MAX_CONCURRENT = 1000
MAX_TIMEOUT = 3600
MAX_RETRIES = 10
SECRET_NAME = RegexValidator(r"^[A-Za-z_][A-Za-z0-9_]*\Z", "Use letters, digits and _.")

NOT_HIDDEN = (
    "The {what} could be an ordinary word or number, so it is not hidden in what trials record. "
    "Where that matters, use one of at least 8 characters that mixes letters and digits."
)


def warnings_of(what: str, sealed: str) -> list[str]:
    """What to know of a sealed key or secret: that it is not hidden, where it could stand in any answer by itself."""
    try:
        text = unseal(sealed)
    except Unsealable:
        return []
    return [] if not text or can_be_hidden(text) else [NOT_HIDDEN.format(what=what)]


class ConnectionQuerySet(TeamScopedQuerySet):
    """Connections; a connection lists its models."""

    def active(self) -> Self:
        return self.filter(is_active=True)

    def answering(self, team: Team, model: str) -> "Connection | None":
        """The first active connection of a team, by name, that lists a model."""
        return next((row for row in self.active().filter(team=team) if model in row.model_names), None)


def between(least: float, most: float) -> list[Any]:
    return [MinValueValidator(least), MaxValueValidator(most)]


class Connection(models.Model):
    """An OpenAI-compatible endpoint with its key.

    `provider` is the word that packs have for who serves the models (`openai`, `anthropic`). `model_list` holds
    `{"name", "input_per_million", "output_per_million"}`, prices in US dollars and only where they are known.

    Nobody asks before `rests_until`, where the endpoint said that it is asked too often; `refusals` counts how often it
    did so in a row without saying how long to wait.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="connections")
    name = models.CharField(max_length=120)
    provider = models.CharField(max_length=60, default="openai")
    base_url = models.CharField(max_length=500)
    sealed_key = SealedField(blank=True, editable=False)
    key_set_at = models.DateTimeField(null=True, blank=True)
    model_list = DocumentField(default=list, blank=True)
    max_concurrent = models.PositiveIntegerField(default=8, validators=between(1, MAX_CONCURRENT))
    requests_per_minute = models.PositiveIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    timeout_seconds = models.FloatField(default=120, validators=between(1, MAX_TIMEOUT))
    max_retries = models.PositiveIntegerField(default=3, validators=[MaxValueValidator(MAX_RETRIES)])
    has_responses = models.BooleanField(default=False)
    rests_until = models.DateTimeField(null=True, editable=False)
    refusals = models.PositiveSmallIntegerField(default=0, editable=False)
    is_active = models.BooleanField(default=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = ConnectionQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["team", "name"], name="one_connection_per_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def has_key(self) -> bool:
        return bool(self.sealed_key)

    @property
    def warnings(self) -> list[str]:
        """What to know of the key; empty where it is hidden, or there is none."""
        return warnings_of("key", self.sealed_key)

    @property
    def is_resting(self) -> bool:
        """Whether calls wait because the endpoint was asked too often."""
        return self.rests_until is not None and self.rests_until > timezone.now()

    @property
    def model_names(self) -> list[str]:
        return [entry["name"] for entry in self.model_list]

    @property
    def prices(self) -> Mapping[str, ModelPrice]:
        """What the models cost whose two prices are known."""
        return {
            entry["name"]: ModelPrice(float(entry["input_per_million"]), float(entry["output_per_million"]))
            for entry in self.model_list
            if entry.get("input_per_million") is not None and entry.get("output_per_million") is not None
        }

    def set_key(self, key: str) -> None:
        """Keep a key, or none where it is empty; the row still has to be saved."""
        self.sealed_key = seal(key)
        self.key_set_at = timezone.now() if key else None

    def take_agents_along(self, old_name: str) -> None:
        """Let the agents of the team that name this connection follow its new name."""
        for agent in Agent.objects.filter(team=self.team):
            if isinstance(agent.config, dict) and agent.config.get("connection") == old_name:
                agent.config = {**agent.config, "connection": self.name}
                agent.save(update_fields=["config", "updated_at"])


class Secret(models.Model):
    """A value that tools and agents of a team may use as `${secrets.NAME}`, and that nobody is shown again."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="secrets")
    name = models.CharField(max_length=120, validators=[SECRET_NAME])
    sealed_value = SealedField(editable=False)
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    updated_at = models.DateTimeField(auto_now=True)

    objects = TeamScopedQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["team", "name"], name="one_secret_per_name")]

    def __str__(self) -> str:
        return self.name

    def set_value(self, value: str) -> None:
        """Keep a value; the row still has to be saved."""
        self.sealed_value = seal(value)

    @property
    def warnings(self) -> list[str]:
        """What to know of the value; empty where it is hidden."""
        return warnings_of("value", self.sealed_value)

    def value(self) -> str:
        """The value in clear. Raises Unsealable."""
        return unseal(self.sealed_value)
