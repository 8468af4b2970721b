import pytest

from packs.remotes import Folder, RemoteRefused
from packs.views.shared.folder_form import FolderFields

GIVEN = {"address": "https://git.example.org/a.git", "branch": "main", "folder": "packs/x", "secret": "GIT"}


def form_of(**changed):
    form = FolderFields({**GIVEN, **changed})
    form.offer(["GIT"])
    return form


def test_it_says_where_a_pack_lives():
    form = form_of()
    assert form.is_valid()
    assert form.place() == Folder("https://git.example.org/a.git", "main", "packs/x", "", "GIT")


def test_only_secrets_that_are_offered_can_be_chosen():
    assert "secret" in form_of(secret="OTHER").errors


@pytest.mark.parametrize(
    ("code", "field"), [("no_branch", "branch"), ("no_folder", "folder"), ("not_allowed", "address")]
)
def test_what_is_refused_is_said_at_its_field(code, field):
    form = form_of()
    assert form.is_valid()
    form.refuse(RemoteRefused(code, "No."))
    assert form.errors[field] == ["No."]
