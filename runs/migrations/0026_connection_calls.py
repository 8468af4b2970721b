"""The rows of a connection's calls get the name of what they are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0025_request_digests")]

    operations = [
        migrations.RenameModel("Place", "ConnectionCall"),
        migrations.RenameIndex("connectioncall", "runs_connec_connect_0892ae_idx", "runs_place_connect_fe654d_idx"),
        migrations.AlterField(
            "connectioncall",
            "connection",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="calls",
                to="runs.connection",
            ),
        ),
    ]
