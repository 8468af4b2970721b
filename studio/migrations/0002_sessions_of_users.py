import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations, models


def list_sessions(apps, schema_editor):
    """Sessions from before are listed too, so that "everywhere else" is all of them."""
    users = {str(pk): pk for pk in apps.get_model("auth", "User").objects.values_list("pk", flat=True)}
    now = django.utils.timezone.now()
    SignIn = apps.get_model("studio", "SignIn")
    for session in apps.get_model("sessions", "Session").objects.filter(expire_date__gt=now).iterator():
        user = users.get(SessionStore().decode(session.session_data).get(SESSION_KEY))
        if user is not None:
            SignIn.objects.create(user_id=user, session_id=session.pk, at=now, seen_at=now)


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("sessions", "0001_initial"),
        ("studio", "0001_sign_in_attempt"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SignIn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(blank=True, max_length=64)),
                ("agent", models.CharField(blank=True, max_length=300)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen_at", models.DateTimeField()),
                (
                    "session",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sign_in", to="sessions.session"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_ins",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.RunPython(list_sessions, migrations.RunPython.noop),
    ]
