"""Who gets what at which address? The table that the pages are held to: every address, every role, GET and POST.

A line is an address, what of it is asked for, and the answers to GET and to POST in the order of `ROLES`; the last
word stands for all roles that follow. On the board that is not public the same holds for who is on it; for others
nothing is there (`not`), unless they would be asked to sign in (`in`), or the method is refused (`x`) before anything
is looked up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from django.urls import URLPattern, URLResolver, get_resolver

ROLES = ("anonymous", "participant", "mate", "stranger", "assessor", "viewer", "elsewhere", "organiser")
"""The participant owns Kestrel Lab, the mate is in it, the stranger owns Norrland IR, `elsewhere` organises another."""
OUTSIDE_CLOSED = ("anonymous", "elsewhere")
"""Who has no role on the board that is not public."""

ANSWERS = {
    "ok": 200,
    "nil": 204,
    "on": 302,  # to another page
    "in": 302,  # to the page where one signs in
    "moved": 301,
    "who": 401,
    "no": 403,
    "not": 404,
    "x": 405,
    "bad": 422,  # the form, with what is wrong
    "off": 503,  # not ready: no worker runs beside the tests
}

# What is on the boards stands in ``busy_boards.py``: B1 is a baseline; R1 and R2 are runs of Kestrel Lab and of
# Norrland IR; R3 is not released under Ladder; R4 and R6 are anonymous, of a team with nothing else and of Kestrel Lab;
# R7 is withdrawn; R9, of Kestrel Lab, is queued; R10, of Norrland IR, failed. There is no R99.

# ---- pages of a board ----
BOARD = """
                              GET                             POST
                              anon part mate strg asse view else orga
leaderboard     -             ok                            | x
embed           -             ok                            | x
final           -             not                           | x
final_json      -             not                           | x
export          csv           ok                            | x
export          json          ok                            | x
export          tex           ok                            | x
export          pdf           ok                            | x
export          exe           not                           | x
history         -             ok                            | x
history_file    csv           ok                            | x
history_file    json          ok                            | x
history_file    tex           ok                            | x
history_file    svg           ok                            | x
history_file    png           ok                            | x
history_file    pdf           ok                            | x
timeline        -             moved                         | x
timeline_json   -             moved                         | x
claims          -             moved                         | x
claims_json     -             moved                         | x
label_versions  -             ok                            | x
label_versions_json -         ok                            | x
label_versions_picture svg    not                           | x
stability       -             ok                            | x
significance    -             moved                          | x
analysis        power         not                           | x
analysis_picture power.svg    not                           | x
export_result   stability.csv ok                            | x
export_result   stability.tex ok                            | x
export_result   significance.json ok                        | x
stability_picture places.svg  ok                            | x
stability_picture shares.png  ok                            | x
stability_picture pairs.pdf   ok                            | x
stability_picture all.svg     ok                            | x
about           -             ok                            | x
feed            -             ok                            | x
badge           -             ok                            | x
run_badge       R1            ok                            | x
run_badge       R4            ok                            | x
run_badge       R7            not                           | x
run_badge       R9            not                           | x
run_picture     R1.svg        not                           | x
run_picture     R9.png        not                           | x
card            -             ok                            | x
follow          -             in  ok                        | in  on
add_hook        -             in  x                         | in  bad
remove_hook     -             in  x                         | in  not
compare         -             ok                            | on
compare         R1,B1         ok                            | on
compare         R3,R4         ok                            | ok  ok  ok  ok  ok  ok  ok  on
compare         R7,R4         not                           | not
compare         R99,R4        not                           | not
compare_file    R4,R1,json    ok                            | x
compare_file    R4,R1,tex     ok                            | x
compare_file    R3,R4,json    not                           | x
compare_file    R7,R4,json    not                           | x
compare_picture R4,R1,miss-cost.svg not not not not not not not ok | x
compare_picture R3,R4,miss-cost.svg not                     | x
public_labels   dev           ok                            | x
public_labels   official      not                           | x
public_labels   private       not                           | x
queries         -             ok                            | x
queries_csv     -             not                           | x
report_label    d01           in  ok                        | in  on
report_label    zz            in  not                       | in  not
data            -             ok                            | x
data_sums       -             ok                            | x
accept_data_terms -           in  x                         | in  on
data_file       offered       ok                            | x
data_file       hidden        not                           | x
data_file       none          not                           | x

run             B1            ok                            | x
run             R1            ok                            | x
run             R3            ok                            | x
run             R4            ok                            | x
run             R6            ok                            | x
run             R7            ok                            | x
run             R9            not ok  ok  not not not not ok| x
run             R10           not not not ok  not not not ok| x
run             R99           not                           | x
run_status      R1            in  ok  ok  not not not not ok| in  x
run_status      R4            in  not not not not not not ok| in  x
run_status      R9            in  ok  ok  not not not not ok| in  x
run_status      R10           in  not not ok  not not not ok| in  x
edit_run        R1            in  ok  ok  not               | in  on  on  not
edit_run        R2            in  not not ok  not           | in  not not on  not
edit_run        R4            in  not                       | in  not
edit_run        R9            in  ok  ok  not               | in  on  on  not
edit_run        B1            in  not                       | in  not
withdraw_run    R1            in  ok  ok  not               | in  on  on  not
withdraw_run    R4            in  not                       | in  not
withdraw_run    B1            in  not                       | in  not
submit          -             in  ok                        | in  bad bad bad ok
ask_to_take_part kestrel      in  x                         | in  on  on  not
submit          accepted      in  ok                        | in  on  on  bad ok
send_file       kestrel       in  x                         | in  on  on  not
send_file       norrland      in  x                         | in  not not on  not
upload          refused       in  ok  ok  not not not not ok| in  x
upload          waiting       in  ok  ok  not not not not ok| in  x
upload          accepted      in  ok  ok  not not not not ok| in  x
upload          other         in  not not ok  not not not ok| in  x
upload          hidden        in  not not not not not not ok| in  x
upload          none          in  not                       | in  x
"""

# ---- pages of its organisers ----
ORGANISING = """
                              GET                             POST
                              anon part mate strg asse view else orga
organise        -             in  not not not not not not ok| in  x
end_board       -             in  not not not not not not ok| in  not not not not not not bad
final_bundle    -             in  not                       | in  x
validity        -             in  not not not not not not ok| in  x
validity_json   -             in  not not not not not not ok| in  x
validity_picture private.svg  in  not not not not not not ok| in  x
validity_picture nothing.pdf  in  not                       | in  x
audit           -             in  not not not not not not ok| in  x
check_audit     -             in  x                         | in  not not not not not not on
export_audit    -             in  not not not not not not ok| in  x
labels          -             in  not not not not not not ok| in  x
open_labels     official      in  not not not not not not ok| in  not not not not not not ok
open_labels     private       in  not not not not not not ok| in  not not not not not not ok
open_labels     none          in  not                       | in  not
publish_labels  -             in  not not not not not not ok| in  not not not not not not bad
preparation     -             in  not not not not not not ok| in  x
give_up_labels  official      in  x                         | in  not not not not not not on
give_up_labels  none          in  x                         | in  not
try_labels_again official     in  x                         | in  not not not not not not on
try_labels_again none         in  x                         | in  not
organise_data   -             in  not not not not not not ok| in  not not not not not not bad
change_data_terms -           in  x                         | in  not not not not not not on
remove_data_file offered      in  x                         | in  not not not not not not on
remove_data_file none         in  x                         | in  not
open_data_file  hidden        in  not not not not not not ok| in  not not not not not not ok
open_data_file  offered       in  not                       | in  not
reported_labels -             in  not not not not not not ok| in  x
answer_report   none          in  x                         | in  not
policy          -             in  not not not not not not ok| in  not not not not not not bad
people          -             in  not not not not not not ok| in  not not not not not not on
change_role     viewer        in  x                         | in  not not not not not not on
change_role     none          in  x                         | in  not
remove_role     viewer        in  x                         | in  not not not not not not on
give_link       viewer        in  x                         | in  not not not not not not on
invite_to_team  kestrel       in  x                         | in  not
approve_team    kestrel       in  x                         | in  not
announcements   -             in  not not not not not not ok| in  not not not not not not on
withdraw_announcement none    in  x                         | in  not
baselines       -             in  not not not not not not ok| in  not not not not not not on
accept_baseline file          in  x                         | in  not not not not not not on
accept_baseline none          in  x                         | in  not
forget_baseline file          in  x                         | in  not not not not not not on
import_runs     -             in  not not not not not not ok| in  not not not not not not bad
forget_history  -             in  x                         | in  not not not not not not on
void_claim      1             in  not not not not not not ok| in  not not not not not not on
void_claim      4             in  not not not not not not ok| in  not not not not not not bad
void_claim      99            in  not                       | in  not
campaigns       -             in  not not not not not not ok| in  x
new_campaign    -             in  not not not not not not ok| in  not not not not not not bad
campaign        study         in  not not not not not not ok| in  not not not not not not on
campaign        none          in  not                       | in  not
campaign_news   study         in  not not not not not not ok| in  x
campaign_golds  study         in  not not not not not not ok| in  not not not not not not on
start_campaign  study         in  x                         | in  not not not not not not on
act_on_campaign study         in  x                         | in  not not not not not not on
campaign_texts  study         in  not not not not not not ok| in  not not not not not not bad
campaign_open   study         in  not not not not not not ok| in  x
campaign_query  study,q01     in  not                       | in  x
campaign_assessors study      in  not not not not not not ok| in  x
act_on_assessor study,a-01    in  x                         | in  not not not not not not on
answer_note     study,1       in  x                         | in  not not not not not not on
campaign_pay    study         in  not not not not not not ok| in  not not not not not not bad
review_labels   study         in  not not not not not not ok| in  x
download_new_labels study     in  not not not not not not ok| in  x
judge_label     study         in  x                         | in  not not not not not not on
publish_campaign study        in  x                         | in  not not not not not not on
export_judgments study,jsonl  in  not not not not not not ok| in  x
export_judgments study,exe    in  not                       | in  x
spare_minutes   -             in  not not not ok  not not ok| in  x
"""

# ---- where assessors judge: in a campaign to which only those of the board are invited ----
JUDGING = """
                              GET                             POST
                              anon part mate strg asse view else orga
judging         -             in  no  no  no  on  no  no  on| x
judging_consent -             in  no  no  no  ok  no  no  ok| in  no  no  no  ok  no  no  ok
judging_guidelines -          in  no  no  no  on  no  no  on| in  no  no  no  on  no  no  on
judging_ready   -             in  no  no  no  on  no  no  on| in  no  no  no  on  no  no  on
judging_pairs   -             in  no  no  no  on  no  no  on| x
judging_task    -             in  no  no  no  on  no  no  on| x
judging_answer  -             x                             | in  no  no  no  on  no  no  on
judging_undo    -             x                             | in  no  no  no  on  no  no  on
judging_hand_in -             in  no  no  no  on  no  no  on| in  no  no  no  on  no  no  on
judging_exit    -             in  no  no  no  on  no  no  on| in  no  no  no  on  no  no  on
judging_thanks  -             in  no  no  no  on  no  no  on| x
judging_more    -             x                             | in  no  no  no  on  no  no  on
judging_delete  -             in  no  no  no  on  no  no  on| in  no  no  no  on  no  no  on
judging_tell    -             in  no  no  no  on  no  no  on| in  no  no  no  on  no  no  on
"""

# ---- people and teams, and what belongs to no board ----
SITE = """
                              GET                             POST
                              anon part mate strg asse view else orga
home            -             ok                            | x
boards          -             ok                            | x
methods         -             ok                            | x
health          -             ok                            | x
readiness       -             off                           | x
metrics         -             not                           | x
me              -             in  ok                        | in  x
join_invited    none          in  x                         | in  not
api_page        -             ok                            | x
stop_mails      none          not                           | not
create_board    -             in  not not not not not not ok| in  not not not not not not bad
draft_step      none          in  not                       | in  not
drop_draft      none          in  x                         | in  not
draft_toml      none          in  not                       | in  x
account         -             in  ok                        | in  on
delete_account  -             in  ok                        | in  ok
tokens          -             in  ok                        | in  on
revoke_token    mate          in  x                         | in  not on  not
revoke_token    none          in  x                         | in  not
api_openapi     -             ok                            | x
create_team     -             in  ok                        | in  on
team            kestrel       ok                            | x
team            quokka        not not not not not not not ok| x
team            none          not                           | x
invite          kestrel       in  ok  not                   | in  ok  not
withdraw_invitation kestrel   in  x                         | in  on  not
remove_member   mate          in  ok  not                   | in  on  not
remove_member   owner         in  not                       | in  not
make_owner      mate          in  x                         | in  on  not
leave_team      kestrel       in  ok  ok  not               | in  ok  on  not
join_team       kestrel       ok                            | ok  on
join_team       none          not                           | not
login_link      mate          ok                            | on
login_link      none          not                           | not
"""

# ---- signing in and up, passwords, second steps, other services: allauth's ----
ALLAUTH = """
                              GET                             POST
                              anon part mate strg asse view else orga
account_login                        - ok  on               | ok  on
account_logout                       - on  ok               | on
account_signup                       - ok  on               | ok  on
account_inactive                     - ok                   | x
account_reauthenticate               - in  ok               | in  ok
account_email                        - in  ok               | in  on
account_email_verification_sent      - ok                   | x
account_confirm_email             none ok                   | not
account_confirm_login_code           - in  on               | in  on
account_change_password              - in  ok               | in  ok
account_set_password                 - in  on               | in  on
account_reset_password               - ok                   | ok
account_reset_password_done          - ok                   | x
account_reset_password_from_key   none ok                   | ok
account_reset_password_from_key_done - ok                   | x
mfa_index                            - in  ok               | in  x
mfa_authenticate                     - in  on               | in  on
mfa_reauthenticate                   - in  on               | in  on
mfa_activate_totp                    - in  on               | in  on
mfa_deactivate_totp                  - in  not              | in  not
mfa_view_recovery_codes              - in  not              | in  x
mfa_generate_recovery_codes          - in  on               | in  on
mfa_download_recovery_codes          - in  not              | in  not
socialaccount_connections            - in  ok               | in  ok
socialaccount_signup                 - in                   | in
socialaccount_login_cancelled        - ok                   | x
socialaccount_login_error            - who                  | x
dummy_login                          - ok                   | on
dummy_authenticate                   - no                   | no
/accounts/social/connections/        - moved                | moved
/accounts/social/login/cancelled/    - moved                | moved
/accounts/social/login/error/        - moved                | moved
/accounts/social/signup/             - moved                | moved
"""


@dataclass(frozen=True, kw_only=True)
class Line:
    """What is asked for at an address, and what each role gets."""

    name: str
    what: str
    get: Mapping[str, str]
    post: Mapping[str, str]

    def __str__(self) -> str:
        return self.name if self.what == "-" else f"{self.name} {self.what}"

    def on_closed_board(self) -> Line:
        if self.name == "embed":  # it asks nobody who they are, so it shows nothing that is not for everyone
            return replace(self, get=dict.fromkeys(ROLES, "not"))
        return replace(self, get=_close(self.get), post=_close(self.post))


def _close(cells: Mapping[str, str]) -> dict[str, str]:
    return {
        role: "not" if role in OUTSIDE_CLOSED and answer not in ("in", "x") else answer
        for role, answer in cells.items()
    }


def read_table(text: str) -> Iterator[Line]:
    for line in text.strip().splitlines()[2:]:
        if line.strip():
            start, _, post = line.partition("|")
            name, what, *get = start.split()
            yield Line(name=name, what=what, get=_to_cells(get, line), post=_to_cells(post.split(), line))


def _to_cells(words: list[str], line: str) -> dict[str, str]:
    """One for each role; the last stands for all that follow."""
    assert 1 <= len(words) <= len(ROLES), line
    assert set(words) <= set(ANSWERS), line
    return dict(zip(ROLES, [*words, *[words[-1]] * (len(ROLES) - len(words))], strict=True))


def list_addresses(resolver: URLResolver | None = None, before: str = "") -> Iterator[str]:
    """Every address of the site by its name, or by its path where it has none."""
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLPattern):
            yield each.name or f"/{before}{each.pattern}"
        else:
            yield from list_addresses(each, f"{before}{each.pattern}")


JUDGING_LINES = list(read_table(JUDGING))
BOARD_LINES = [*read_table(BOARD), *read_table(ORGANISING), *JUDGING_LINES]
SITE_LINES, ALLAUTH_LINES = list(read_table(SITE)), list(read_table(ALLAUTH))
OWN_LINES = [*BOARD_LINES, *SITE_LINES]
