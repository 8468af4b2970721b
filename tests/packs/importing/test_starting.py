import pytest

from packs.formats import adapter_of
from packs.importing import ImportRefused
from packs.importing.starting import copy_sample, samples
from packs.mirror import read_tree


def test_every_sample_can_be_copied_without_errors(team, author):
    for sample in samples():
        row = copy_sample(team, author, sample.name, f"Copy of {sample.title}", f"copy-{sample.name}")
        assert (row.problem_errors, row.cases.count()) == (0, sample.cases)


def test_a_copy_is_called_as_asked_in_the_file_too(team, author):
    row = copy_sample(team, author, samples()[0].name, "Another name")
    adapter = adapter_of(row.format)
    assert row.slug == "another-name"
    assert adapter.title(read_tree(row).document) == "Another name"


def test_a_title_without_letters_has_a_slug_too(team, author):
    assert [copy_sample(team, author, samples()[0].name, "小包").slug for _ in range(2)] == ["pack", "pack-2"]


def test_a_slug_is_not_taken_from_another_pack(team, author):
    copy_sample(team, author, samples()[0].name, "Mine")
    with pytest.raises(ImportRefused) as refused:
        copy_sample(team, author, samples()[1].name, "Yours", "mine")
    assert [finding.code for finding in refused.value.findings] == ["pack.E013"]


def test_an_unknown_sample_is_a_mistake_of_the_caller(team, author):
    with pytest.raises(KeyError):
        copy_sample(team, author, "none", "Mine")
