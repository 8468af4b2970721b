import uuid

import pytest
from django.db import IntegrityError, transaction

from packs import blobs
from packs.access import Role
from packs.models import Artifact, Membership


def test_a_user_has_one_role_in_a_team(team, author):
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(team=team, user=author, role=Role.VIEWER)


def test_an_id_of_a_stored_file_is_a_teams_own(team, other_team):
    artifact_id, blob = uuid.uuid4(), blobs.put(b"x")
    for owner in (team, other_team):
        Artifact.objects.create(team=owner, artifact_id=artifact_id, blob=blob)
    with pytest.raises(IntegrityError), transaction.atomic():
        Artifact.objects.create(team=team, artifact_id=artifact_id, blob=blob)
