"""Who is who? Users by their address, teams that submit, and the links that let people in."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.urls import reverse
from django.utils import timezone

from toprung.web.core.names import FORMER_MEMBER, look_of

if TYPE_CHECKING:
    from toprung.web.core.access.rights import TokenRights

INVITATION_DAYS = 14


class UserManager(BaseUserManager["User"]):
    """Makes users of an address and a password."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user


class User(AbstractBaseUser, PermissionsMixin):
    """A person; what they may do on a board is said by its roles."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120, blank=True)
    may_create_boards = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True, blank=True)
    made_on = models.ForeignKey("web.Board", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    """The board whose organisers made the account; None if the person signed up, or the server made it."""
    owner_since = models.DateTimeField(null=True, blank=True)
    """When the owner of an account that organisers made first proved who they are: by mail, or by a link that the
    operator of the server gave them."""

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()

    token_rights: TokenRights | None = None
    """What of the person's rights a token gives to who acts with it; None for the person themselves. Never stored."""

    def __str__(self) -> str:
        return self.name or self.email.partition("@")[0]

    @property
    def waits_for_owner(self) -> bool:
        """Organisers made the account, and nobody has proved that its address is theirs."""
        return self.made_on_id is not None and self.owner_since is None

    @property
    def looks_new(self) -> bool:
        """Nobody signed in or set a password; whether a login link may be made is looked at again when it is."""
        return self.last_login is None and not self.has_usable_password()

    @property
    def reference(self) -> str:
        """How the person is written into records that cannot be changed: it tells nothing once they are forgotten."""
        return f"user {self.pk}"

    def forget(self) -> None:
        """Delete what tells who it was; what the person did stays on record as done by a former member."""
        from allauth.account.models import EmailAddress
        from allauth.mfa.models import Authenticator
        from allauth.socialaccount.models import SocialAccount

        self.email = f"former-{self.pk}@invalid.invalid"
        self.name = FORMER_MEMBER
        self.may_create_boards = False
        self.is_active = False
        self.last_login = None
        self.left_at = timezone.now()
        self.set_unusable_password()
        self.save()
        for rows in (EmailAddress, Authenticator, SocialAccount, Membership, LoginLink, ApiToken, AccountNotice):
            rows.objects.filter(user=self).delete()
        self.board_roles.all().delete()
        self.follows.all().delete()
        self.hooks.all().delete()
        Invitation.objects.filter(invited_by=self, used_at=None).delete()


class Team(models.Model):
    """Who submits together; a board counts submissions by team."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120, unique=True)
    look = models.CharField(max_length=480, unique=True, editable=False)
    """What the name looks like: no two teams have names that can be taken for each other."""
    created_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)
    """From then on it has no members; its runs stay on record."""
    members = models.ManyToManyField(User, through="Membership", related_name="teams")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("team", args=[self.slug])

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.look = look_of(self.name)
        super().save(*args, **kwargs)


class Membership(models.Model):
    """A person in a team; an owner may invite and remove."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    is_owner = models.BooleanField(default=False)
    joined_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["team", "user"], name="member_once")]
        ordering: ClassVar = ["joined_at", "pk"]


def _invitation_end() -> Any:
    return timezone.now() + timedelta(days=INVITATION_DAYS)


def digest_of(secret: str) -> str:
    """What is kept of the secret in a link."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Invitation(models.Model):
    """A link that lets one person into a team; only its digest is kept."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(blank=True)
    digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(User, on_delete=models.CASCADE)
    expires_at = models.DateTimeField(default=_invitation_end)
    used_at = models.DateTimeField(null=True, blank=True)

    @classmethod
    def invite(cls, team: Team, *, by: User, email: str = "") -> tuple[Invitation, str]:
        """The invitation, and the secret of its link, which is told once."""
        secret = secrets.token_urlsafe(24)
        made = cls.objects.create(team=team, email=email, digest=digest_of(secret), invited_by=by)
        return made, secret

    @property
    def is_open(self) -> bool:
        return self.used_at is None and timezone.now() < self.expires_at


class LoginLink(models.Model):
    """A link that lets one person in once; only its digest is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="login_links")
    board = models.ForeignKey("web.Board", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    """The board whose organiser made the link; None if the operator of the server did."""
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)


class AccountNotice(models.Model):
    """What somebody else did with an account: a role given or taken, a login link made. Its owner sees all of them."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices")
    board = models.ForeignKey("web.Board", on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    """None for the use of a link: nobody knows who used it."""
    what = models.CharField(max_length=300)
    """A sentence without its subject, such as "gave you the role of viewer"."""
    at = models.DateTimeField(default=timezone.now)
    mailed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]


class Scope(models.TextChoices):
    """What may be done with a token."""

    READ = "read", "look at boards, runs and results"
    SUBMIT = "submit", "send files; submit, edit and withdraw runs"
    ORGANISE = "organise", "see what organisers see"
    JUDGE = "judge", "judge pairs of campaigns that you are invited to"


class ApiToken(models.Model):
    """A secret with which a program acts for a person; only its digest is kept.

    The secret is 256 random bits, so that nobody finds it from its digest by trying: unlike a password it needs no
    slow hash, and a request can be told from its SHA-256 alone.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True, related_name="api_tokens")
    """Where there is one, the token acts as a member of this team alone."""
    name = models.CharField(max_length=60)
    scopes = models.JSONField(default=list)
    prefix = models.CharField(max_length=12)
    """How the secret begins, to tell one token from another."""
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    ends_with_own_login = models.BooleanField(default=False)
    """It was made in a session that began with an organiser's link: it ends when the owner first signs in without."""
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None and timezone.now() < self.expires_at
