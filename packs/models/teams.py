"""Who owns things, and what they own besides packs: bytes, uploads, keys."""

import uuid
from typing import Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from packs.access import SCOPES, Permission, Reach, Role, Scope, TeamQuerySet, TeamScopedQuerySet, roles_with

# How high quotas can be set: GB stored, trials a day, US dollars a month.
MOST_GB, MOST_TRIALS, MOST_USD = 1e6, 1_000_000_000, 1e9


class Team(models.Model):
    """Who owns packs, agents and runs. Where it `needs_approval` or `needs_proof`, all its packs do.

    `recording_days` says how long `runs.retention` keeps recordings; for ever where it is empty. `packs.quotas` and
    `runs.quotas` heed the quotas; what has none is not limited.
    """

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    needs_approval = models.BooleanField(
        "versions need an approval",
        default=False,
        help_text="A draft is published only after somebody approved it who made none of its changes.",
    )
    needs_proof = models.BooleanField(
        "versions need proven cases",
        default=False,
        help_text="A draft is published only once its graders provably accept what is right and refuse what is wrong.",
    )
    needs_second_factor = models.BooleanField(
        "members need a second factor",
        default=False,
        help_text="Members who sign in with a password must set one up before anything else.",
    )
    recording_days = models.PositiveIntegerField(
        "days that recordings are kept",
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
        help_text="Steps, traces and files of older trials are removed each day; answers, scores and verdicts stay. "
        "Empty: they are kept for ever.",
    )
    quota_storage_gb = models.FloatField(
        "GB stored at most",
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(MOST_GB)],
        help_text="Files of packs, and recordings of runs that have ended. Empty: no limit.",
    )
    quota_trials_per_day = models.PositiveIntegerField(
        "trials a day at most",
        null=True,
        blank=True,
        validators=[MaxValueValidator(MOST_TRIALS)],
        help_text="Trials that begin on a day, with those that wait. Empty: no limit.",
    )
    quota_usd_per_month = models.FloatField(
        "US dollars a month at most",
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(MOST_USD)],
        help_text="What agents and judges cost, as far as prices are known. Empty: no limit.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class MembershipQuerySet(TeamScopedQuerySet):
    """Members of teams."""

    def who_administer(self) -> Self:
        """The people who can administer their team: neither closed accounts nor those of programs."""
        roles = roles_with(Permission.ADMINISTER)
        return self.filter(role__in=roles, user__is_active=True, user__service_account=None)


class InvitationQuerySet(TeamScopedQuerySet):
    """Invitations to teams."""

    def live(self) -> Self:
        """Those that still work: in time, not used up, and made by somebody who administers the team to this day."""
        makers = {
            "made_by__is_active": True,
            "made_by__memberships__team": models.F("team"),
            "made_by__memberships__role__in": roles_with(Permission.ADMINISTER),
        }
        return self.filter(expires_at__gt=timezone.now(), uses__lt=models.F("max_uses"), **makers)


class Membership(models.Model):
    """The role of a user in a team; one that `is_from_directory` is renewed by groups there at each sign-in."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices, default=Role.VIEWER)
    is_from_directory = models.BooleanField(default=False, editable=False)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="one_role_per_team")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}: {self.role}"


class Invitation(models.Model):
    """A link with which people join a team; only the SHA-256 of its secret part is stored."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=20, choices=Role.choices)
    digest = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True)
    max_uses = models.PositiveSmallIntegerField(default=1)
    uses = models.PositiveSmallIntegerField(default=0)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.get_role_display()} in {self.team}"


class ServiceAccount(models.Model):
    """Marks a user as the account of a program: of one team, with keys, and without a password."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="service_account")
    team = models.ForeignKey(Team, models.CASCADE, related_name="service_accounts")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamScopedQuerySet.as_manager()

    def __str__(self) -> str:
        return str(self.user)


class Token(models.Model):
    """A key for the API. Only the SHA-256 of the key is stored; `prefix` lets its owner tell keys apart.

    It may do what `scopes` say of what its user may: in all teams of the user, or in `teams`, or with `pack` alone.
    That it is for some teams stands in a column of its own, so that it does not widen when the last of them is deleted.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    last_used_from = models.CharField(max_length=64, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    scopes = models.JSONField(default=list)
    is_for_all_teams = models.BooleanField(default=True)
    teams = models.ManyToManyField(Team, blank=True, related_name="+")
    pack = models.ForeignKey("packs.Pack", models.CASCADE, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def reach(self) -> Reach:
        """How far requests with this key go. Every key reads; one for a single pack administers nothing."""
        granted = frozenset[Permission]().union(*(SCOPES[Scope(scope)] for scope in {*self.scopes, Scope.READ}))
        if self.pack is not None:
            return Reach(granted - {Permission.ADMINISTER}, frozenset({self.pack.team_id}), self.pack.pk)
        if self.is_for_all_teams:
            return Reach(granted)
        return Reach(granted, frozenset(self.teams.values_list("pk", flat=True)))

    @property
    def has_ended(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()


class Blob(models.Model):
    """Bytes, stored once per SHA-256 under `packs.blobs`. `stored_at` is when they were given last, to the hour."""

    digest = models.CharField(primary_key=True, max_length=64)
    size = models.PositiveBigIntegerField()
    stored_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.digest[:12]


class Upload(models.Model):
    """Files that wait between the preview of an import and its confirmation.

    `name` is what the user called them; `inner_name` the name of the one file, or of the zip where `is_archive`.
    Files of a repository have in `repository` where they came from, as `packs.remotes.Folder`, with the `commit`.
    """

    token = models.UUIDField(primary_key=True, default=uuid.uuid4)
    team = models.ForeignKey(Team, models.CASCADE, related_name="uploads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="uploads")
    name = models.CharField(max_length=300)
    inner_name = models.CharField(max_length=300)
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    is_archive = models.BooleanField(default=False)
    format = models.CharField(max_length=40, blank=True)
    slug = models.CharField(max_length=120, blank=True)
    repository = models.JSONField(default=dict, blank=True)
    expires_at = models.DateTimeField()

    objects = TeamScopedQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class Artifact(models.Model):
    """Bytes that packs of a team refer to by the UUID in an asset's `artifact_id`."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="artifacts")
    artifact_id = models.UUIDField()
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    name = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamScopedQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "artifact_id"], name="one_artifact_per_id")]

    def __str__(self) -> str:
        return self.name or str(self.artifact_id)
