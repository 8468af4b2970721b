"""The form of an agent: a field for each property of its kind's configuration, read back into a document."""

from collections.abc import Mapping
from typing import Any

import orjson
from django import forms

from runs.agents import AGENTS
from runs.launch.launching import MAX_CONCURRENCY, config_problems
from runs.models import Agent, Connection
from runs.models.agent_connections import connection_trouble
from runs.views.agents.folding import Folded, fold

PREFIX = "config_"
CHECK = "Give valid JSON. "
# The id of the list of models that a page offers beside the field.
MODELS = "known-models"


def is_lines(schema: Mapping[str, Any]) -> bool:
    """Whether a value is a list of texts, which people write one a line."""
    return schema.get("type") == "array" and schema.get("items", {}).get("type") == "string"


def shown(schema: Mapping[str, Any], value: Any) -> Any:
    """A value of the configuration as the field shows it."""
    if value is None or schema.get("type") in ("number", "integer", "string"):
        return value
    if is_lines(schema) and isinstance(value, list) and not any("\n" in str(entry) for entry in value):
        return "\n".join(str(entry) for entry in value)
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def make_field(name: str, schema: Mapping[str, Any], is_required: bool) -> forms.Field:
    """A field for one property; whatever is not a number, choice, text or list of texts is written as JSON."""
    hint, rows = str(schema.get("description", "")), 8
    common: dict[str, Any] = {"label": schema.get("title") or name, "required": is_required}
    if "enum" in schema:
        return forms.ChoiceField(choices=[(each, each) for each in schema["enum"]], help_text=hint, **common)
    if schema.get("type") in ("number", "integer"):
        number = forms.NumberInput(attrs={"class": "input input--narrow", "step": "any"})
        return forms.FloatField(widget=number, help_text=hint, **common)
    if schema.get("type") == "string":
        return forms.CharField(widget=text_widget(schema), help_text=hint, strip=False, **common)
    if is_lines(schema):
        hint, rows = f"{hint} One a line.", 4
    else:
        hint = f"{hint} Written as JSON.".strip()
    example = shown(schema, next(iter(schema.get("examples", ())), None)) or ""
    attributes = {"class": "input input--mono", "rows": rows, "spellcheck": "false", "placeholder": example}
    widget = forms.Textarea(attrs=attributes)
    return forms.CharField(widget=widget, help_text=hint, strip=False, **common)


def text_widget(schema: Mapping[str, Any]) -> forms.Widget:
    """The control for a text: of several lines, a choice of connections, or one line."""
    wanted = schema.get("x-widget")
    if wanted == "multiline":
        return forms.Textarea(attrs={"class": "input", "rows": 6})
    if wanted == "connection":
        return forms.Select()
    models = {"list": MODELS, "class": "input input--mono", "autocomplete": "off", "spellcheck": "false"}
    return forms.TextInput(attrs=models if wanted == "model" else {"class": "input input--mono"})


def read(schema: Mapping[str, Any], text: Any) -> Any:
    """What a field's text means. Raises ValidationError for text that is no JSON where JSON is needed."""
    if schema.get("type") in ("number", "integer"):
        return int(text) if text.is_integer() else text
    if "enum" in schema:
        return text
    lines = text.replace("\r\n", "\n")
    if schema.get("type") == "string":
        return lines
    if is_lines(schema) and not lines.lstrip().startswith("["):
        return [line for line in lines.split("\n") if line.strip()]
    try:
        return orjson.loads(lines)
    except orjson.JSONDecodeError as error:
        raise forms.ValidationError(f"{CHECK}{error}", code="no_json") from error


class AgentForm(forms.Form):
    """Name, limit and configuration of an agent. `config` is the document once the form is valid.

    Members of the configuration that the kind does not know are kept.
    """

    name = forms.CharField(max_length=120, widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}))
    concurrency = forms.IntegerField(
        label="Trials at once",
        help_text="How many of its trials may be at work at once, in all runs together. Empty: no limit of its own.",
        required=False,
        min_value=1,
        max_value=MAX_CONCURRENCY,
    )

    def __init__(self, agent: Agent, data: Any = None) -> None:
        self.agent = agent
        self.properties: Mapping[str, Any] = AGENTS[agent.kind].SCHEMA.get("properties", {})
        needed = AGENTS[agent.kind].SCHEMA.get("required", ())
        known = agent.config if isinstance(agent.config, Mapping) else {}
        initial: dict[str, Any] = {"name": agent.name, "concurrency": agent.concurrency}
        for key, schema in self.properties.items():
            initial[PREFIX + key] = shown(schema, known.get(key, schema.get("default")))
        super().__init__(data, initial=initial)
        for key, schema in self.properties.items():
            self.fields[PREFIX + key] = make_field(key, schema, key in needed)
        self.models: list[str] = []
        self.lacks_connections = False
        if PREFIX + "connection" in self.fields:
            self._offer_connections(known.get("connection", ""))
        for each in self.fields.values():
            each.widget.attrs.setdefault("class", "input")
        self.config: dict[str, Any] = {key: value for key, value in known.items() if key not in self.properties}

    def _offer_connections(self, chosen: str) -> None:
        """Let the connections of the team be chosen; the present one stays, whatever became of it."""
        rows = list(Connection.objects.active().filter(team=self.agent.team))
        names = [row.name for row in rows]
        others = [chosen] if chosen and chosen not in names else []
        choices = [("", "Choose a connection"), *((name, name) for name in [*names, *others])]
        widget = self.fields[PREFIX + "connection"].widget
        if isinstance(widget, forms.Select):
            widget.choices = choices
        self.lacks_connections = not rows
        self.models = sorted({name for row in rows for name in row.model_names})

    @property
    def parts(self) -> Folded:
        """What the kind needs, and apart from it what can stay as it is."""
        usual = {PREFIX + key: shown(schema, schema.get("default")) for key, schema in self.properties.items()}
        opened = [PREFIX + key for key, schema in self.properties.items() if schema.get("x-open")]
        return fold(self, usual, opened)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Agent.objects.filter(team=self.agent.team, name=name).exclude(pk=self.agent.pk).exists():
            raise forms.ValidationError(f"This team has an agent {name!r} already.", code="agent.E002")
        return name

    def clean(self) -> None:
        for key, schema in self.properties.items():
            text = self.cleaned_data.get(PREFIX + key)
            if text in (None, "") or PREFIX + key in self.errors:
                continue
            try:
                self.config[key] = read(schema, text)
            except forms.ValidationError as error:
                self.add_error(PREFIX + key, error)
        if self.errors:
            return
        trouble = connection_trouble(self.agent.team, self.agent.kind, self.config)
        if trouble:
            self.add_error(PREFIX + "connection", forms.ValidationError(trouble, code="agent.E003"))
        for pointer, message in config_problems(self.agent.kind, self.config):
            self.add_error(self.place_of(pointer), forms.ValidationError(f"{message} {pointer}", code="agent.E001"))

    def place_of(self, pointer: str) -> str | None:
        """The field that a JSON Pointer into the configuration lies in."""
        name = PREFIX + pointer.partition("/")[2].partition("/")[0]
        return name if name in self.fields else None
