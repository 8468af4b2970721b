from packs.importing import seed
from packs.models import Edit, Pack


def test_a_new_team_gets_every_sample_published_and_only_once(team, administrator):
    made = seed(team, administrator)
    assert len(made) >= 3
    assert all(pack.versions.count() == 1 and pack.problem_errors == 0 for pack in made)
    assert seed(team, administrator) == []
    assert not Edit.objects.exists()


def test_a_pack_that_the_team_has_already_is_left_alone(team, administrator):
    kept, *others = seed(team, administrator)
    kept.slug, kept.title = kept.slug, "Mine"
    kept.save()
    for other in others:
        other.versions.all().delete()
        other.delete()
    seed(team, administrator)
    assert Pack.objects.get(pk=kept.pk).title == "Mine"
