"""Whether an account belongs to the person at its address, and what ends once that is known.

Where no mail server is set, whoever signs up first with an address has it. And an account that organisers make for an
address may be entered by an organiser before its owner comes. So before such an account is trusted with more, and when
its owner comes, everything is taken away by which somebody else could enter it.
"""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.utils import timezone

from toprung.web.core.models.boards import Board, Role
from toprung.web.core.models.people import Invitation, LoginLink, User
from toprung.web.services.people.tokens import open_tokens, revoke_tokens

NOT_CONFIRMED = (
    "Found an account that organisers made and whose address nobody has confirmed; expected a confirmed one. "
    "Set a password by mail first (“Forgot your password?”), or ask whoever runs this server for a login link."
)


def make_sure_of(user: User) -> None:
    """Shut out who may have signed up in another's name; an organiser, and a verified address, are known already."""
    if not is_known(user):
        _shut_out(user)


def make_sure_for(board: Board, user: User, role: Role) -> None:
    """Before somebody gets this role: organisers of another board, who made the account, may be signed in to it."""
    if role is Role.ORGANISER or (user.waits_for_owner and user.made_on_id != board.pk):
        make_sure_of(user)


def is_known(user: User) -> bool:
    is_verified = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()
    return is_verified or user.may_create_boards or user.owner_since is not None


def was_entered(user: User) -> bool:
    """Whether anybody ever signed in, set a password, confirmed an address or connected another service."""
    return (
        not user.looks_new
        or user.owner_since is not None
        or user.login_links.exclude(used_at=None).exists()
        or EmailAddress.objects.filter(user=user, verified=True).exists()
        or SocialAccount.objects.filter(user=user).exists()
    )


def note_owner(user: User) -> bool:
    """The owner proved by mail, or by a link of the operator, that the account is theirs.

    The first time, whatever was set up by an organiser's link ends: sessions, password, tokens, second step, other
    addresses, connected services and invitations. Returns whether it did.
    """
    with transaction.atomic():
        user.refresh_from_db(from_queryset=User.objects.select_for_update(no_key=True))
        if not user.waits_for_owner:
            return False
        _shut_out(user)
        user.owner_since = timezone.now()
        user.save(update_fields=["owner_since"])
    return True


def _shut_out(user: User) -> None:
    """Only a link that is given to the right person, or a mail to the address, lets in from now on."""
    with transaction.atomic():
        user.set_unusable_password()  # and so every session ends
        user.save(update_fields=["password"])
        revoke_tokens(open_tokens(user))
        EmailAddress.objects.filter(user=user).exclude(email__iexact=user.email).delete()
        for rows in (Authenticator, SocialAccount):
            rows.objects.filter(user=user).delete()
        LoginLink.objects.filter(user=user, used_at=None).delete()
        Invitation.objects.filter(invited_by=user, used_at=None).delete()
