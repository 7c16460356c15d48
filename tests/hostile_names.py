"""Names that some format would run, tear apart or hide, in casts for every kind of result."""

from __future__ import annotations

from tests.every_result import Cast

TAGS = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</title></style></textarea>&lt;b&gt;'")
FORMULAS = ("=cmd|' /C calc'!A0", "+1", "@SUM(1)")
MORE_FORMULAS = ("-2+3", "  =HYPERLINK(0)", "a;=1+1\n@x")
SCRIPTS = ("🏆👩\u200d🔬", "مرحبا 12", "\u202eעברית abc")
MARKS = ("a\\b{c}$d%e_f^g~h&i#", "![x](http://192.0.2.1/p.png) **b** `c`", "# 1. a | b\\")
CONTROLS = ("two\nlines\ttab \u202eעב", "bell\x07\x00\x1b[31m", "zero\u200bwidth\u2028x")

CASTS = {
    "tags": Cast(runs=TAGS, team="<b>team</b>", query="<i>q", document="</td>d"),
    "formulas": Cast(runs=FORMULAS, team="=1+1", query="=q", document="@d"),
    "more formulas": Cast(runs=MORE_FORMULAS, team="-team", query="+q", document="-d"),
    "scripts": Cast(runs=SCRIPTS, team="צוות", query="سؤال", document="文"),
    "marks": Cast(runs=MARKS, team="*team*", query="_q_", document="[d]"),
    "worst": Cast(
        runs=(TAGS[0], TAGS[1], CONTROLS[0]), team="<b>te\u2066am", query="<i>q\x01", document="</td>d\u2028"
    ),
    "controls": Cast(runs=CONTROLS, team="te\u2066am", query="q\x01", document="d\x7f"),
}
