from django.urls import reverse

from tests.runs.queues import begin_run


def test_staff_see_the_figures_of_the_studio_as_charts_with_their_tables(as_administrator, administrator, team, author):
    begin_run(team, author, cases=3)
    administrator.is_staff = True
    administrator.save()
    text = as_administrator.get(reverse("studio:ops")).text
    assert 'id="chart-trials"' in text
    assert 'data-value="3.0">3</td>' in text
    assert reverse("studio:workers") in text


def test_others_are_not_let_in(as_author):
    assert as_author.get(reverse("studio:ops"), follow=True).status_code == 403
