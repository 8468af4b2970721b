import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("packs", "0013_invitations_and_service_accounts")]

    operations = [
        migrations.RenameField("blob", "created_at", "stored_at"),
        migrations.AlterField("blob", "stored_at", models.DateTimeField(default=django.utils.timezone.now)),
    ]
