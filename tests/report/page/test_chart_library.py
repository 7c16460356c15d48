"""Is the script of charts bundled once, and never taken from a file that is not whole?"""

from __future__ import annotations

from pathlib import Path

import pytest

from toprung.extras.pictures import vl_convert
from toprung.report.page.chart_library import EXPORT, ChartLibrary, kept_bundle


@pytest.fixture
def bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Calls of the bundler, which here gives a script of one line; the cache is empty."""
    calls: list[str] = []

    def bundle(snippet: str) -> str:
        calls.append(snippet)
        return f"let é = 1;\n{snippet}"

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(vl_convert, "javascript_bundle", bundle)
    return calls


def test_the_second_page_takes_what_the_first_kept(bundled: list[str], tmp_path: Path) -> None:
    first, second = ChartLibrary.load(), ChartLibrary.load()
    assert bundled == [EXPORT]
    assert first == second
    assert first.script == f"(() => {{let é = 1;\n{EXPORT}\n}})();"
    assert [path.name for path in (tmp_path / "toprung").iterdir()] == [kept_bundle().name]


@pytest.mark.parametrize("damage", ["", "half", "line\nafter", "\udcff"])
def test_a_damaged_file_is_bundled_anew_and_kept_whole(bundled: list[str], damage: str) -> None:
    first = ChartLibrary.load()
    kept_bundle().write_bytes(damage.encode(errors="surrogateescape"))
    assert ChartLibrary.load() == first
    assert ChartLibrary.load() == first
    assert len(bundled) == 2


def test_one_changed_letter_is_seen(bundled: list[str]) -> None:
    ChartLibrary.load()
    kept_bundle().write_text(kept_bundle().read_text(encoding="utf-8").replace("é", "e"), encoding="utf-8")
    assert "é" in ChartLibrary.load().script
    assert len(bundled) == 2


def test_another_version_has_a_file_of_its_own(bundled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ChartLibrary.load()
    monkeypatch.setattr("toprung.report.page.chart_library.version", lambda _: "99.0")
    ChartLibrary.load()
    assert len(bundled) == 2


def test_without_a_place_to_keep_it_the_library_is_there_all_the_same(
    bundled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = tmp_path / "a-file"
    in_the_way.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(in_the_way))
    assert ChartLibrary.load() == ChartLibrary.load()
    assert len(bundled) == 2


def test_without_a_home_the_library_is_there_all_the_same(bundled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", no_home)
    assert EXPORT in ChartLibrary.load().script
    assert bundled == [EXPORT]


def test_the_real_bundle_is_the_same_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    bundled, kept = ChartLibrary.load(), ChartLibrary.load()
    assert bundled == kept
    assert "vegaEmbed" in kept.script
