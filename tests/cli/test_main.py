from __future__ import annotations

import inspect
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import toprung as tr
from toprung.cli.labels import all_subcommands
from toprung.cli.listed import OTHERS, Lists, in_groups
from toprung.cli.main import GROUPS, all_commands, app

Command = Callable[..., Any]
NO_FOLDER = "found no folder nowhere; make it, or name another."


def test_the_version_is_said(real_toprung: Command) -> None:
    assert real_toprung("--version").out == f"toprung {tr.__version__}\n"


def test_help_lists_every_command() -> None:
    help_text = CliRunner().invoke(app, ["--help"]).output
    for listed in all_commands():
        assert f"\n  {listed.name} " in help_text
    assert CliRunner().invoke(app, ["-h"]).output == help_text


def test_every_command_stands_in_one_group() -> None:
    grouped = in_groups([each.name for each in all_commands()], GROUPS)
    assert sorted(name for names in grouped.values() for name in names) == sorted(each.name for each in all_commands())
    assert {name for names in GROUPS.values() for name in names} - {OTHERS} <= {each.name for each in all_commands()}


@pytest.mark.parametrize("width", [60, 80, 100])
def test_help_says_the_whole_of_what_a_command_is_for(width: int) -> None:
    context = click.Context(app, info_name="toprung", terminal_width=width)
    shown = " ".join(app.get_help(context).split())
    for listed in all_commands():
        assert f" {listed.name} {' '.join(listed.help.split())}" in shown


def test_without_a_slip_a_command_is_not_guessed(toprung: Command) -> None:
    assert "Did you mean" not in toprung("xyzzy").err


def test_start_up_of_help_takes_little_time(real_toprung: Command) -> None:
    real_toprung("--help")
    spent = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        real_toprung("--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) <= 0.15


@pytest.mark.parametrize("listed", [*all_commands(), *all_subcommands()], ids=lambda each: each.name)
def test_lists_say_of_a_command_what_it_says_of_itself(listed: Lists) -> None:
    assert listed.help == inspect.cleandoc(listed.load().help or "").split("\n\n")[0]


@pytest.mark.parametrize("listed", [*all_commands(), *all_subcommands()], ids=lambda each: each.name)
def test_help_names_and_explains_every_option(listed: Lists) -> None:
    command = listed.load()
    shown = command.get_help(click.Context(command, info_name=listed.name))
    for option in (each for each in command.params if isinstance(each, click.Option)):
        assert option.help, option.name
        for spelling in option.opts:
            assert spelling in shown


def test_help_imports_no_command_and_no_array() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from toprung.cli.main import app;"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0;"
        "print([name for name in sys.modules if name in ('numpy', 'polars', 'toprung.cli.report')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_without_a_command_help_is_shown(toprung: Command) -> None:
    outcome = toprung()
    assert outcome.code == 2
    assert "[OPTIONS] COMMAND [ARGS]..." in outcome.out + outcome.err


@pytest.mark.parametrize("name", [each.name for each in all_commands()])
def test_help_of_a_command_names_all_its_options_and_explains_them(name: str) -> None:
    outcome = CliRunner().invoke(app, [name, "--help"])
    assert outcome.exit_code == 0
    command = app.get_command(click.Context(app), name)  # type: ignore[attr-defined]
    assert command is not None
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    for option in options:
        assert option.help, option.name
        for spelling in option.opts:
            assert spelling in outcome.output


@pytest.mark.parametrize(
    ("name", "promised"),
    [
        (
            "evaluate",
            {"--measure", "-m", "--per-query", "--format", "--output", "-o", "--float32-ties", "--name-from"},
        ),
        ("validate", {"--qrels", "--queries", "--depth"}),
        ("convert", {"--depth"}),
    ],
)
def test_the_options_that_were_promised_are_there(name: str, promised: set[str]) -> None:
    command = app.get_command(click.Context(app), name)  # type: ignore[attr-defined]
    assert command is not None
    assert promised <= {spelling for parameter in command.params for spelling in parameter.opts}


def test_a_list_of_commands_says_each_whole(toprung: Command) -> None:
    for group in ((), ("host",), ("labels",), ("plot",)):
        listed = toprung(*group, "--help").out.partition("Options:")[2]
        assert "..." not in listed, group
    assert "all or none, in the order of their dates." in " ".join(toprung("host", "--help").out.split())


def test_an_unknown_command_is_refused(toprung: Command) -> None:
    outcome = toprung("evalute")
    assert outcome.code == 2
    assert "No such command 'evalute'. Did you mean 'evaluate'" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("evaluate", "qrels.txt", "missing.run"), "toprung: missing.run: No such file or directory."),
        (("evaluate", "missing.txt", "good.run"), "toprung: missing.txt: No such file or directory."),
        (("evaluate", "qrels.txt", "folder"), "toprung: folder: Is a directory."),
        (("evaluate", "folder", "good.run"), "toprung: folder: Is a directory."),
        (("validate", "missing.run"), "toprung: missing.run: No such file or directory."),
        (("validate", "folder"), "toprung: folder: Is a directory."),
        (("validate", "good.run", "--qrels", "missing.txt"), "toprung: missing.txt: No such file or directory."),
        (("convert", "missing.run", "x.tsv"), "toprung: missing.run: No such file or directory."),
        (("evaluate", "qrels.txt", "good.run", "-o", "nowhere/x"), f"toprung: nowhere/x: {NO_FOLDER}"),
        (("evaluate", "missing.txt", "missing.run", "-o", "nowhere/x"), f"toprung: nowhere/x: {NO_FOLDER}"),
        (("convert", "good.run", "nowhere/x.tsv"), f"toprung: nowhere/x.tsv: {NO_FOLDER}"),
        (("evaluate", "qrels.txt", "nowhere/good.run"), f"toprung: nowhere/good.run: {NO_FOLDER}"),
        (("convert", "good.run", "folder"), "toprung: folder: Is a directory."),
        (("convert", "good.run", "."), "toprung: .: Is a directory."),
    ],
)
def test_a_file_that_cannot_be_opened_is_named_in_one_line(
    toprung: Command, files: Path, arguments: tuple[str, ...], message: str
) -> None:
    (files / "folder").mkdir()
    outcome = toprung(*arguments)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", message + "\n")


def test_a_failure_is_one_line_on_stderr_without_a_traceback(real_toprung: Command, files: Path) -> None:
    (files / "bad.run").write_text("q1 Q0 a 1 2.5 t\nq1 Q0 b 2 much t\n")
    outcome = real_toprung("evaluate", "qrels.txt", "bad.run")
    assert (outcome.code, outcome.out) == (2, "")
    expected = "toprung: bad.run, line 2: found score 'much'; expected a number such as 12.5 or -3e-4.\n"
    assert outcome.err == expected


def test_a_reader_that_goes_away_is_no_failure_worth_a_word(files: Path) -> None:
    labels = "".join(f"q{number} 0 a 1\n" for number in range(8000))
    run = "".join(f"q{number} Q0 a 1 1 t\n" for number in range(8000))
    (files / "many.txt").write_text(labels)
    (files / "many.run").write_text(run)
    command = [Path(sys.executable).with_name("toprung"), "evaluate", "many.txt", "many.run", "-q", "-f", "csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=files) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"run,measure,query_id,value\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=300) != 2  # what a user can mend


LINE_SIZE = 32


def ten_thousand_lines() -> str:
    """Lines of one size, so that a reader that lost the first bytes could start again at the start of a line."""
    starts = [f"q1 Q0 {'a' if rank == 1 else f'x{rank}'} {rank} {20000 - rank} " for rank in range(1, 10001)]
    return "".join(start.ljust(LINE_SIZE - 1, "t") + "\n" for start in starts)


@pytest.mark.parametrize(
    ("arguments", "whole"),
    [
        (("evaluate", "qrels.txt", "/dev/stdin", "-m", "NumRet", "-f", "csv"), "NumRet,10000.0"),
        (("validate", "/dev/stdin"), "10,000 rows"),
        (("convert", "/dev/stdin", "out.tsv"), "10,000 rows"),
    ],
    ids=["evaluate", "validate", "convert"],
)
def test_a_run_through_a_pipe_is_read_whole_or_refused(
    real_toprung: Command, arguments: tuple[str, ...], whole: str
) -> None:
    # A pipe can be read only once: what is read to recognise the format must not be lost.
    outcome = real_toprung(*arguments, stdin=ten_thousand_lines())
    assert outcome.code == 2 or whole in outcome.out


@pytest.mark.parametrize(
    ("arguments", "piped", "whole"),
    [
        (("evaluate", "qrels.txt", "-", "-m", "RR", "-f", "csv"), "good.run", "stdin,RR,1.0\n"),
        (("evaluate", "-", "good.run", "-m", "RR", "-f", "csv"), "qrels.txt", "good,RR,1.0\n"),
        (("validate", "-"), "good.run", "standard input is a valid trec run with 4 rows for 2 queries"),
        (("validate", "good.run", "--qrels", "-"), "qrels.txt", "good.run is a valid trec run"),
        (("convert", "-", "x.tsv"), "good.run", "x.tsv: 4 rows for 2 queries."),
        (("standings", "qrels.txt", "-", "poor.run", "-m", "RR", "-f", "csv"), "good.run", "stdin"),
        (("compare", "--scores", "-"), "scores.csv", "b and a cannot be told apart"),
    ],
    ids=[
        "evaluate a run",
        "evaluate with labels",
        "validate",
        "validate with labels",
        "convert",
        "standings",
        "scores",
    ],
)
def test_a_dash_is_what_is_piped_in(
    real_toprung: Command, files: Path, arguments: tuple[str, ...], piped: str, whole: str
) -> None:
    (files / "scores.csv").write_text("query_id,a,b\n" + "".join(f"q{n},{n % 2},{(n + 1) % 2}\n" for n in range(40)))
    outcome = real_toprung(*arguments, stdin=(files / piped).read_text())
    assert (outcome.code, outcome.err) == (0, "")
    assert whole in outcome.out


def test_a_dash_stands_for_one_file_only(real_toprung: Command, files: Path) -> None:
    outcome = real_toprung("evaluate", "-", "-", stdin=(files / "qrels.txt").read_text())
    assert outcome.code == 2
    assert outcome.err.startswith("toprung: Found nothing to read for - (stdin);")
    outcome = real_toprung("compare", "qrels.txt", "-", "-", stdin=(files / "good.run").read_text())
    assert outcome.code == 2
    assert outcome.err == "toprung: Found - (stdin) for 2 runs; - may stand for one file of a command only.\n"


@pytest.mark.parametrize("command", ["compare", "gate", "leaderboard", "significance"])
def test_a_dash_is_read_once_also_where_the_runs_are_nearly_alike(
    real_toprung: Command, files: Path, command: str
) -> None:
    """There other measures are looked at, for one that tells them apart."""
    run = "".join(f"q{q} Q0 a 1 2.0 t\n" for q in range(40))
    (files / "labels.txt").write_text("".join(f"q{q} 0 a 1\n" for q in range(40)))
    (files / "same.run").write_text(run)
    outcome = real_toprung(command, "labels.txt", "same.run", "-", stdin=run)
    assert (outcome.code, outcome.err) == (0, "")
    assert "stdin" in outcome.out


def test_whoever_converts_to_a_format_means_another_option(toprung: Command) -> None:
    outcome = toprung("convert", "--format", "trec", "good.run", "x.tsv")
    assert outcome.code == 2
    assert outcome.err.startswith("toprung: No such option '--format'. Did you mean '--to'?")


def test_a_file_name_that_is_not_unicode_does_no_harm(files: Path, real_toprung: Command) -> None:
    name = os.fsencode(files) + b"/caf\xe9.run"
    Path(os.fsdecode(name)).write_text((files / "good.run").read_text())
    for output_format in ("table", "json", "csv", "html"):
        path = files / f"out.{output_format}"
        outcome = real_toprung("evaluate", "qrels.txt", os.fsdecode(name), "-f", output_format, "-o", path)
        assert (outcome.code, outcome.err) == (0, "")
        assert "caf" in path.read_text(encoding="utf-8")
