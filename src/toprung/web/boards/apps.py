from django.apps import AppConfig


class BoardsConfig(AppConfig):
    name = "toprung.web.boards"
    label = "boards"
    default_auto_field = "django.db.models.BigAutoField"
