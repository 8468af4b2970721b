"""The form of a connection. Its key is only ever written: the form never holds the stored one."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django import forms

from runs.models import Connection
from runs.models.opening import open_web
from runs.views.agents.folding import Folded, fold

# Django's class takes no parameter at run time.
if TYPE_CHECKING:
    ModelForm = forms.ModelForm[Connection]
else:
    ModelForm = forms.ModelForm

LINES = "One a line: the name, and where you know them the prices per million tokens in and out."


def shown_models(model_list: list[dict[str, Any]]) -> str:
    """The models of a connection, one a line."""
    return "\n".join(shown_model(entry) for entry in model_list)


def shown_model(entry: dict[str, Any]) -> str:
    prices = [entry.get("input_per_million"), entry.get("output_per_million")]
    known = [f"{price:.10g}" for price in prices if price is not None]
    return " ".join([entry["name"], *known]) if len(known) == 2 else str(entry["name"])


def read_models(text: str) -> list[dict[str, Any]]:
    """The models that lines name. Raises ValidationError for the first line that cannot be read."""
    found: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        name, *prices = line.split()[:4] or [""]
        if not name:
            continue
        if name in found:
            raise forms.ValidationError(f"Line {number}: {name} stands here a second time.", code="twice")
        found[name] = {"name": name, **read_prices(prices, number)}
    return list(found.values())


def read_prices(prices: list[str], number: int) -> dict[str, float]:
    """The two prices of a line, or none. Raises ValidationError."""
    if not prices:
        return {}
    try:
        spent, made = (float(price) for price in prices)
    except ValueError:
        message = f"Line {number}: give no price, or two numbers: per million tokens in, and out."
        raise forms.ValidationError(message, code="no_price") from None
    if not (0 <= spent < 1e6 and 0 <= made < 1e6):
        raise forms.ValidationError(f"Line {number}: a price lies between 0 and a million dollars.", code="no_price")
    return {"input_per_million": spent, "output_per_million": made}


def host_of(address: str) -> str:
    try:
        return urlsplit(address).netloc.casefold()
    except ValueError:
        return ""


class ConnectionForm(ModelForm):
    """A connection. An empty key keeps the stored one, unless the address moves to another host."""

    key = forms.CharField(
        required=False,
        max_length=4000,
        label="Key",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "spellcheck": "false"}),
    )
    drops_key = forms.BooleanField(required=False, label="Remove the stored key")
    models_text = forms.CharField(
        required=False,
        label="Models",
        help_text=LINES,
        widget=forms.Textarea(
            attrs={
                "rows": 5,
                "class": "input input--mono",
                "spellcheck": "false",
                "placeholder": "model-name 0.15 0.60",
            }
        ),
    )
    field_order = ("name", "base_url", "key", "drops_key", "models_text")

    class Meta:
        model = Connection
        fields = (
            *("name", "base_url", "provider", "max_concurrent", "requests_per_minute"),
            *("timeout_seconds", "max_retries", "has_responses"),
        )
        labels = {
            "base_url": "Address",
            "max_concurrent": "Calls at a time",
            "timeout_seconds": "Time limit of a call (seconds)",
            "max_retries": "Retries",
            "has_responses": "It has the responses API",
        }
        help_texts = {
            "name": "Agents name the connection by it.",
            "base_url": "What comes before /chat/completions, such as https://api.openai.com/v1",
            "provider": "The word that packs have for who serves the models, such as openai or anthropic.",
            "max_concurrent": "Of all workers together.",
            "requests_per_minute": "Of all workers together; empty for no limit.",
            "max_retries": "After trouble that may pass, such as too many requests.",
            "has_responses": "Packs of mode responses need it.",
        }
        widgets = {
            "base_url": forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
            "name": forms.TextInput(attrs={"autocomplete": "off"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.old_host = host_of(self.instance.base_url)
        self.old_name = self.instance.name
        self.fields["models_text"].initial = shown_models(self.instance.model_list)
        stored = "A key is stored; leave this empty to keep it. " if self.instance.has_key else ""
        reported = [f"{stored}It is encrypted, and shown to nobody again.", *self.instance.warnings]
        self.fields["key"].help_text = " ".join(reported)
        if not self.instance.has_key:
            del self.fields["drops_key"]
        for name, field in self.fields.items():
            narrow = isinstance(field, forms.IntegerField | forms.FloatField)
            if name not in ("drops_key", "has_responses"):
                field.widget.attrs.setdefault("class", "input input--narrow" if narrow else "input")

    @property
    def parts(self) -> Folded:
        """What a connection needs, and apart from it what can stay as it is."""
        usual = {field.name: field.get_default() for field in Connection._meta.concrete_fields}
        return fold(self, usual, ("name", "base_url", "key", "drops_key", "models_text"))

    def clean_base_url(self) -> str:
        address: str = self.cleaned_data["base_url"].strip().rstrip("/")
        problem = open_web().allowed.problem(address)
        if problem:
            raise forms.ValidationError(problem, code="not_allowed")
        return address

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        if not key.isprintable() or not key.isascii():
            raise forms.ValidationError("A key has no line ends and only plain letters and signs.", code="no_key")
        return key

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Connection.objects.filter(team=self.instance.team, name=name).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(f"This team has a connection {name!r} already.", code="connection.E001")
        return name

    def clean_models_text(self) -> str:
        text: str = self.cleaned_data["models_text"]
        self.instance.model_list = read_models(text)
        return text

    def clean(self) -> None:
        super().clean()
        given = self.cleaned_data
        moved = "base_url" in given and host_of(given["base_url"]) != self.old_host
        if self.instance.has_key and moved and not given.get("key") and not given.get("drops_key"):
            # Otherwise people who may edit could have the key sent to a host of their own.
            message = "The address is on another host now: give the key for it, or remove the stored one."
            self.add_error("key", forms.ValidationError(message, code="key_needed"))

    def save(self, commit: bool = True) -> Connection:
        """Store the connection with its key; agents of the team follow a new name."""
        if self.cleaned_data.get("drops_key"):
            self.instance.set_key("")
        if self.cleaned_data["key"]:
            self.instance.set_key(self.cleaned_data["key"])
        row = super().save(commit)
        if commit and self.old_name and self.old_name != row.name:
            row.take_agents_along(self.old_name)
        return row
