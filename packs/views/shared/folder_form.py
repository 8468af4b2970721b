"""The form of a folder of a Git repository."""

from collections.abc import Iterable
from typing import Any

from django import forms

from packs.remotes import Folder, RemoteRefused

MONO = {"class": "input input--mono", "autocomplete": "off", "spellcheck": "false"}


class FolderFields(forms.Form):
    """Where a pack lives."""

    address = forms.CharField(
        max_length=500,
        label="Address of the repository",
        help_text="https or ssh. An administrator of the site allows addresses with PACKWRIGHT_WORKSPACE_SOURCES.",
        widget=forms.TextInput(attrs={**MONO, "placeholder": "https://git.example.org/team/evals.git"}),
    )
    branch = forms.CharField(max_length=200, initial="main", widget=forms.TextInput(attrs=MONO))
    folder = forms.CharField(
        max_length=500,
        required=False,
        help_text="The folder that holds the pack and nothing else; empty for the whole repository.",
        widget=forms.TextInput(attrs={**MONO, "placeholder": "packs/support"}),
    )
    secret = forms.ChoiceField(
        required=False,
        label="Secret that signs in",
        help_text="A secret of the team: over https a password or token, over ssh a private key.",
    )
    user = forms.CharField(
        max_length=200,
        required=False,
        label="User name for https",
        help_text="Most hosts take any name beside a token.",
        widget=forms.TextInput(attrs=MONO),
    )
    host_keys = forms.CharField(
        max_length=20_000,
        required=False,
        label="Host keys for ssh",
        help_text="Lines of a known_hosts file, as ssh-keyscan prints them. Compare them with what the host states.",
        widget=forms.Textarea(attrs={**MONO, "rows": 2}),
    )

    def offer(self, names: Iterable[str]) -> None:
        """Offer secrets by their names."""
        secret: Any = self.fields["secret"]
        secret.choices = [("", "None"), *((name, name) for name in names)]

    def place(self) -> Folder:
        given = self.cleaned_data
        return Folder(**{name: given[name] for name in ("address", "branch", "folder", "user", "secret", "host_keys")})

    def refuse(self, refused: RemoteRefused) -> None:
        """Say at its field what keeps this from being a folder."""
        field = {"no_branch": "branch", "no_folder": "folder", "no_secret": "secret"}.get(refused.code, "address")
        self.add_error(field, refused.message)
