"""What a pack asks of its judges."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from packs.access import InPackQuerySet
from packs.models import Pack

# Landis and Koch (1977) call a kappa above 0.6 substantial agreement.
USUAL_KAPPA = 0.6


class JudgeStandard(models.Model):
    """The least kappa with people that a judge of the pack needs, so that its scores carry no mark."""

    pack = models.OneToOneField(Pack, models.CASCADE, related_name="judge_standard")
    least_kappa = models.FloatField(default=USUAL_KAPPA, validators=[MinValueValidator(0.0), MaxValueValidator(1.0)])

    objects = InPackQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.least_kappa} for the judges of {self.pack}"
