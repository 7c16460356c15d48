from django.apps import AppConfig


class WebConfig(AppConfig):
    """All that is stored is of this one app."""

    name = "toprung.web.core"
    label = "web"
    default_auto_field = "django.db.models.BigAutoField"
