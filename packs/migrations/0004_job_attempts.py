from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("packs", "0003_indices_with_positions"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="attempts",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
