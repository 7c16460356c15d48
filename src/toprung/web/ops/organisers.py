"""Who lets the first organiser in? The command that starts the board, by a link that works once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toprung.errors import InputError
from toprung.web.core.config.environment import Environment
from toprung.web.core.config.served_at import served_at
from toprung.web.ops.run import Say

if TYPE_CHECKING:
    from toprung.web.core.models.people import User


def welcome(environment: Environment, organiser: str, say: Say) -> None:
    """Where no organiser has come in yet, make one unless there is one, and say the link that lets them in."""
    from django.db import transaction

    from toprung.web.core.models.people import User

    organisers = User.objects.filter(may_create_boards=True, is_active=True).order_by("pk")
    if organisers.exclude(last_login=None, login_links=None).exists():
        return
    with transaction.atomic():  # an organiser without a link could not come in
        user = organisers.first() or find_organiser(organiser)
        link = login_link(environment, user)
    say(f"First organiser {user.email}: {link}")
    say("The link works once, for a day; set a password on your account page. Another: toprung login-link EMAIL")


def find_organiser(email: str) -> User:
    """The person of this address, with the right to make boards; who has no account gets one."""
    from toprung.web.core.models.people import User
    from toprung.web.services.people.trusting import make_sure_of

    check_address(email)
    user = _find_user(email) or User.objects.create_user(email, None)
    make_sure_of(user)
    user.may_create_boards = True
    user.save(update_fields=["may_create_boards"])
    return user


def link_for(environment: Environment, email: str) -> str:
    """A login link for someone who has an account."""
    user = _find_user(email)
    if user is None:
        raise InputError(f"Found no account of '{email}'; expected one. For a new organiser add --organiser.")
    return login_link(environment, user)


def login_link(environment: Environment, user: User) -> str:
    from toprung.web.services.people.login_links import make_login_link

    return served_at(environment) + make_login_link(user)


def check_address(email: str) -> None:
    from django.core.exceptions import ValidationError
    from django.core.validators import validate_email

    try:
        validate_email(email)
    except ValidationError:
        raise InputError(f"Found '{email}'; expected an address such as you@example.org.") from None


def _find_user(email: str) -> User | None:
    from toprung.web.core.models.people import User

    user = User.objects.filter(email=User.objects.normalize_email(email).lower()).first()
    if user is not None and not user.is_active:
        raise InputError(f"Found the account of '{email}' closed; expected another address.")
    return user
