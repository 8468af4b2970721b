import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from packs.access import Permission
from packs.models import Team
from runs.models import Run, Secret, SharedPage, Trial
from runs.results.sharing import find_shareable, read_subject, shown_by
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db
READ, CURATE = Permission.READ, Permission.CURATE
SECRET = "sk-Zx81-very-secret-key-0042"


@pytest.fixture
def run(team, author, version):
    return run_with(team, author, version, {"bot": ["p", "f", "e"]})


@pytest.mark.parametrize("text", ["run:12", "replay:5", "comparison:1,2", "comparison:1,2@2", "comparison:1,2@2.7"])
def test_a_subject_reads_as_it_is_written(text):
    assert str(read_subject(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "run:",
        "run:x",
        "run:1,2",
        "run:1@2",
        "comparison:1,1",
        "comparison:1,2,3,4,5,6,7",
        "pack:1",
        "comparison:1@x",
    ],
)
def test_what_names_nothing_is_not_found(text):
    with pytest.raises(Http404):
        read_subject(text)


def test_who_may_not_curate_is_refused_and_a_stranger_finds_nothing(author, administrator, stranger, run):
    subject = read_subject(f"run:{run.pk}")
    assert find_shareable(author, subject, READ).runs == [run]
    assert find_shareable(administrator, subject, CURATE).team == run.team
    with pytest.raises(PermissionDenied):
        find_shareable(author, subject, CURATE)
    with pytest.raises(Http404):
        find_shareable(stranger, subject, READ)


def test_a_link_shows_only_what_its_team_has(run):
    other = Team.objects.create(slug="elsewhere", name="Elsewhere")
    link = SharedPage.objects.create(team=other, subject=f"run:{run.pk}")
    with pytest.raises(Http404):
        shown_by(link)
    Run.objects.filter(pk=run.pk).update(team=other)
    assert shown_by(link).runs[0].pk == run.pk


@pytest.mark.parametrize("kind", ["run", "replay"])
def test_secrets_of_the_team_are_cut_out(team, run, kind):
    kept = Secret(team=team, name="KEY")
    kept.set_value(SECRET)
    kept.save()
    Trial.objects.filter(run=run).update(final_output=f"It is {SECRET}.", error=SECRET)
    number = run.pk if kind == "run" else run.trials.first().pk
    page = shown_by(SharedPage.objects.create(team=team, subject=f"{kind}:{number}")).page()
    assert "It is [secret]." in page
    assert SECRET not in page
