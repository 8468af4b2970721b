"""Rows of the site itself."""

from django.db import models


class SignInAttempt(models.Model):
    """A guess at a password: the normalised name that was given, and the address that it came from."""

    name = models.CharField(max_length=64)
    address = models.CharField(max_length=64)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"{self.name} from {self.address}"
