"""Rows of the site itself."""

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone

from runs.models.sealing import SealedField


class SignInAttempt(models.Model):
    """A guess at a password: the normalised name that was given, and the address (of IPv6 the block) it came from."""

    name = models.CharField(max_length=64)
    address = models.CharField(max_length=64)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"{self.name} from {self.address}"


class SignIn(models.Model):
    """A session of a user: since when, and from where and with which browser it was used last.

    Ends with its session, however that ends: signing out, the user on another machine, or `manage.py clearsessions`.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sign_ins")
    session = models.OneToOneField(Session, models.CASCADE, related_name="sign_in")
    address = models.CharField(max_length=64, blank=True)
    agent = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user} from {self.address}"


class SecondFactor(models.Model):
    """What a user shows beside the password: a code of an app that has the secret (TOTP, RFC 6238).

    `last_step` is the time step of the code that was used last: no code of it, or of an earlier one, is taken again.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="second_factor")
    sealed_secret = SealedField(editable=False)
    last_step = models.PositiveBigIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["user__username"]

    def __str__(self) -> str:
        return f"second factor of {self.user}"


class RecoveryCode(models.Model):
    """Stands in once for a code of the app; only the SHA-256 of it is stored, and the row goes when it is used."""

    factor = models.ForeignKey(SecondFactor, models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["factor", "digest"], name="one_recovery_code_per_digest")]

    def __str__(self) -> str:
        return f"recovery code {self.pk}"
