"""What the web tests share."""

from __future__ import annotations

import dataclasses

import pytest
from pytest_django import Settings
from tests.web.cast import Cast, make_cast
from tests.web.moving import past
from tests.web.viewing import viewed, viewed_snapshot

from toprung.web.environment import MailServer

__all__ = ["past", "viewed", "viewed_snapshot"]


collect_ignore = ["settings.py", "real_settings.py"]  # loaded by Django, once; they hold no examples


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def mail_server(settings: Settings) -> None:
    """The board as it is where a mail server is set; what it would send lies in ``mailoutbox``."""
    server = MailServer(host="mail.example.org", port=587, user="", password="", speaks_tls=False)
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, mail=server)
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.ACCOUNT_PREVENT_ENUMERATION = True
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = False


@pytest.fixture
def figures_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results as tasks compute them, but for the drawings, which take seconds."""
    monkeypatch.setattr("toprung.report.charts.figure.Figure.to_inline_svg", lambda _: "<svg></svg>")
