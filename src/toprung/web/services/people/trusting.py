"""Does an account belong to whose address it has? Unless the address was verified, nobody knows.

Where no mail server is set, whoever signs up first with an address has it. So before such an account is trusted with
more, its password and its second step are taken away: only the link that is given to the right person lets in.
"""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from toprung.web.core.models.people import User


def make_sure_of(user: User) -> None:
    """Shut out who may have signed up in another's name; an organiser, and a verified address, are known already."""
    if is_known(user):
        return
    user.set_unusable_password()  # and so every session ends
    user.save(update_fields=["password"])
    Authenticator.objects.filter(user=user).delete()


def is_known(user: User) -> bool:
    is_verified = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()
    return is_verified or user.may_create_boards
