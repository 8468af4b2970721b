"""What the trials of a case may cost together; what is held waits for trials of its own case as well."""

from django.db import migrations, models

STATUSES = [
    ("held", "Waits for other trials"),
    ("queued", "Queued"),
    ("running", "Running"),
    ("waiting", "Waits for a person"),
    ("passed", "Passed"),
    ("failed", "Failed"),
    ("undecided", "Undecided"),
    ("error", "Error"),
    ("cancelled", "Cancelled"),
]


class Migration(migrations.Migration):
    dependencies = [("runs", "0016_connection_rests")]

    operations = [
        migrations.AddField(
            model_name="trialplan",
            name="cost_usd",
            field=models.FloatField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="attempt",
            name="status",
            field=models.CharField(choices=STATUSES, max_length=20),
        ),
        migrations.AlterField(
            model_name="rescoreresult",
            name="old_status",
            field=models.CharField(choices=STATUSES, max_length=20),
        ),
        migrations.AlterField(
            model_name="rescoreresult",
            name="status",
            field=models.CharField(choices=STATUSES, max_length=20),
        ),
        migrations.AlterField(
            model_name="trial",
            name="status",
            field=models.CharField(choices=STATUSES, default="queued", max_length=20),
        ),
    ]
