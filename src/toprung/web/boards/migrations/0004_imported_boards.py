from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("boards", "0003_label_versions"),
    ]

    operations = [
        migrations.AddField(
            model_name="board",
            name="imported",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
