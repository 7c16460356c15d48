"""How is a run cited? As BibTeX, with the address that stays and the digest of its file; anonymous runs as such."""

from __future__ import annotations

from django.conf import settings

from toprung.report.latex import escape
from toprung.web.core.access.namer import Identity
from toprung.web.core.addresses import address_of
from toprung.web.core.models.runs import Submission


def run_address(submission: Submission) -> str:
    return address_of("run", submission.board.slug, submission.run_id)


def write_badge(submission: Submission) -> str:
    """A picture that says where the run stands today, and leads to its page."""
    picture = address_of("run_badge", submission.board.slug, submission.run_id)
    return f"[![Toprung]({picture})]({run_address(submission)})"


def cite(submission: Submission, identity: Identity) -> str:
    """One entry; braces keep a team's name together."""
    title = submission.run_id if identity.is_hidden else f"{submission.run_id} {identity.name}"
    fields = {
        "title": f"{{{escape(f'{title}: a run on {submission.board}')}}}",
        "author": "{{Anonymous}}" if identity.is_hidden else f"{{{{{escape(identity.team)}}}}}",
        "year": f"{{{submission.submitted_at:%Y}}}",
        "month": f"{{{submission.submitted_at:%m}}}",
    }
    if settings.ENVIRONMENT.public_url:  # a copy of a board that nobody else can reach gives none
        fields["howpublished"] = f"{{\\url{{{run_address(submission)}}}}}"
    if not identity.is_hidden:
        fields["note"] = f"{{File {escape(submission.upload.digest)}}}"
    inner = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
    return f"@misc{{toprung-{submission.board.slug}-{submission.run_id},\n{inner}\n}}"
