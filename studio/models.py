"""Rows of the site itself."""

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone


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
