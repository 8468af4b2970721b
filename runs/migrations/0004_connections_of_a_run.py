from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0003_connections_and_secrets"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="connections",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
