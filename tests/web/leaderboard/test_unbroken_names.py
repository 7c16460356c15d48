"""A name, a date and a p-value in a sentence stand on one line each, and stay text; shares are short on a phone."""

from __future__ import annotations

from toprung.report.charts.share_steps import print_share
from toprung.web.site.templatetags.shown import unbroken, whole_percent


def test_names_dates_and_p_values_do_not_break() -> None:
    said = "mono-xl came on 2026-06-29 (p = 0.470); a well cat"
    n = '<span class="n">{}</span>'
    assert unbroken(said) == (
        f"{n.format('mono-xl')} came on {n.format('2026-06-29')} {n.format('(p = 0.470);')} a well cat"
    )


def test_what_is_too_long_for_a_phone_may_break() -> None:
    assert unbroken(f"a-{'b' * 28}") == f'<span class="n">a-{"b" * 28}</span>'
    assert unbroken(f"a-{'b' * 29}") == f"a-{'b' * 29}"


def test_text_of_others_stays_text() -> None:
    assert unbroken('x-y <img src="a-b" onerror=c-d>') == (
        '<span class="n">x-y</span> &lt;img <span class="n">src=&quot;a-b&quot;</span> '
        '<span class="n">onerror=c-d&gt;</span>'
    )
    assert unbroken("p < 0.0001") == '<span class="n">p &lt; 0.0001</span>'


def test_a_share_on_a_phone_is_whole_and_never_rounded_to_certainty() -> None:
    shares = (0, 0.0001, 0.004, 0.01, 0.836, 0.996, 0.9999, 1)
    assert [whole_percent(print_share(share)) for share in shares] == ["0", "<1", "<1", "1", "84", ">99", ">99", "100"]
