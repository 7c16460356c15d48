"""What is known of runs, read from CSV and JSON; dates and submissions are some of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from toprung.data.formats.tables.metadata_files import read_dates, read_metadata, read_submissions
from toprung.data.run_metadata import RunMetadata
from toprung.errors import FormatError, InputError

Write = Callable[[str, str | bytes], Path]

EVERYTHING = RunMetadata(
    name="dense-s1",
    team="Halden",
    date=date(2021, 2, 2),
    tags=("dense", "single model"),
    description="a dense run",
    paper="https://example.org/p",
    code="https://example.org/c",
    kind="full ranking",
    cost=2.5,
    latency=31,
    system="dense",
    seed="1",
    anonymous_until=date(2021, 12, 31),
    is_baseline=True,
)
AS_CSV = (
    "run,team,date,tags,description,paper,code,type,cost,latency,system,seed,embargo_until,is_baseline\n"
    "dense-s1,Halden,2021/02/02,dense; single model;,a dense run,https://example.org/p,https://example.org/c,"
    "full ranking,2.5,31,dense,1,2021-12-31,yes\n"
)
AS_JSON = {
    "run": "dense-s1",
    "team": "Halden",
    "date": "2021-02-02",
    "tags": ["dense", "single model"],
    "description": "a dense run",
    "paper": "https://example.org/p",
    "code": "https://example.org/c",
    "type": "full ranking",
    "cost": 2.5,
    "latency": 31,
    "system": "dense",
    "seed": 1,
    "embargo_until": "2021-12-31",
    "is_baseline": True,
}


class TestReading:
    def test_csv_and_json_say_the_same(self, write: Write) -> None:
        from_csv = read_metadata(write("m.csv", AS_CSV))
        from_json = read_metadata(write("m.json", json.dumps([AS_JSON])))
        assert from_csv.entries == from_json.entries == (EVERYTHING,)
        assert from_csv.digest.startswith("sha256:")

    def test_only_the_run_must_be_there_and_any_cell_may_be_empty(self, write: Write) -> None:
        known = read_metadata(write("m.csv", "cost,run,latency,is_baseline\n,a,,\n0.5,b,,no\n"))
        assert known.entries == (RunMetadata(name="a"), RunMetadata(name="b", cost=0.5))

    def test_null_in_json_is_an_empty_cell(self, write: Write) -> None:
        known = read_metadata(write("m.json", '[{"run": "a", "cost": null, "tags": []}]'))
        assert known.entries == (RunMetadata(name="a"),)

    def test_columns_that_say_nothing_known_are_named(self, write: Write) -> None:
        known = read_metadata(write("m.csv", "run,latencey,Cost,\na,3,1,x\n"))
        assert known.ignored_columns == ("latencey",)
        assert known.costs() == {"a": 1.0}

    def test_tags_are_parted_by_commas_too_and_each_counts_once(self, write: Write) -> None:
        known = read_metadata(write("m.csv", 'run,tags\na,"dense, small, dense"\n'))
        assert known.tags() == {"a": ("dense", "small")}

    def test_names_with_markup_and_other_scripts_stay_as_they_are(self, write: Write) -> None:
        name = "<script>alert(1)</script> שלום 🚀 =cmd"
        assert read_metadata(write("m.csv", f"run,team\n{name},{name}\n")).teams() == {name: name}


class TestFaults:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("name,cost\na,1\n", "line 1: found 'name', 'cost'; expected a column 'run'"),
            ("run,cost\na,0\n", "line 2: found cost 0; expected a positive number from 1e-12 to 1e+15, or nothing"),
            ("run,cost\na,-3\n", "line 2: found cost -3; expected a positive number"),
            ("run,cost\na,$3\n", "line 2: found cost '$3'; expected a positive number"),
            ("run,cost\na,nan\n", "line 2: found cost 'nan'"),
            ("run,cost\na,1e999\n", "line 2: found cost '1e999'"),
            ("run,cost\na,1e300\n", "line 2: found cost 1e+300; expected a positive number"),
            ("run,latency\na,1_000\n", "line 2: found latency '1_000'"),
            ("run,is_baseline\na,maybe\n", "line 2: found is_baseline 'maybe'; expected yes or no"),
            ("run,run\na,a\n", "line 1: found 2 columns 'run'; expected one"),
            ("run,cost\na\n", "line 2: found 1 column; expected 2 as in the header"),
            ("run,cost\na,1\n\nb,2\na,3\n", "line 5: found run 'a' again, first on line 2; expected each run once"),
            ("run,team\na,x\x1b[2J\n", "line 2: found control character U+001B in the team; expected printable text"),
            ('run,tags\na,"x\ny"\n', "line 2: found control character U+000A in the tag"),
            ("run\n", "found no rows below the header; expected a row for every run"),
            ("", "found an empty file"),
        ],
    )
    def test_a_fault_of_a_csv_is_said_with_its_line(self, write: Write, content: str, message: str) -> None:
        with pytest.raises(FormatError) as error:
            read_metadata(write("m.csv", content))
        assert message in str(error.value)
        assert str(error.value).count("found") == 1

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("[", "found text that is not JSON"),
            ("[" * 100_000, "found text that is not JSON"),
            (b"[\xff]", "found text that is not JSON"),
            ("[1]", "found entry 1 that is not an object; expected a JSON list with an object per run"),
            ("[]", "found no objects in the list; expected a row for every run"),
            ('[{"name": "a"}]', "found 'name'; expected a column 'run'"),
            ('[{"run": "a"}, {"run": ""}]', "found in entry 2 a row without a run"),
            ('[{"run": "a"}, {"run": "a"}]', "found in entry 2 run 'a' again, first in entry 1"),
            ('[{"run": "a", "cost": NaN}]', "found in entry 1 cost 'NaN'"),
            (f'[{{"run": "a", "cost": {"9" * 5000}}}]', "found in entry 1 cost '9999"),
            ('[{"run": "a", "Run": "b"}]', "found 'run' 2 times in an object; expected each name once"),
            ('[{"run": "a", "cost": {"usd": 3}}]', "found in entry 1 'cost' with parts of its own"),
            ('[{"run": ["a", "b"]}]', "found in entry 1 a list as run; expected text"),
            ('[{"run": "\\ud800"}]', "found in entry 1 half a character in the run"),
        ],
    )
    def test_a_fault_of_json_is_said_with_its_entry(self, write: Write, content: str | bytes, message: str) -> None:
        with pytest.raises(FormatError) as error:
            read_metadata(write("m.json", content))
        assert message in str(error.value)

    def test_a_seed_of_a_system_stands_once(self, write: Write) -> None:
        with pytest.raises(InputError, match="Found seed '1' of system 's' twice, in the runs 'a' and 'b'"):
            read_metadata(write("m.csv", "run,system,seed\na,s,1\nb,s,1\n"))


class TestDates:
    def test_both_ways_of_writing_a_date_are_read_and_other_columns_ignored(self, write: Write) -> None:
        path = write("meta.csv", "team,run,date\nx,R2,2021-02-10\ny,R1,2020/08/11\n")
        assert list(read_dates(path).items()) == [("R2", date(2021, 2, 10)), ("R1", date(2020, 8, 11))]

    def test_a_baseline_needs_no_date(self, write: Write) -> None:
        path = write("meta.csv", "run,date,is_baseline\nbm25,,yes\nR1,2020/08/11,\n")
        assert read_dates(path) == {"R1": date(2020, 8, 11)}

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("name,date\na,2020-01-01\n", "line 1: found 'name', 'date'; expected columns 'run' and 'date'"),
            ("run,day\na,2020-01-01\n", "expected columns 'run' and 'date'"),
            ('[{"run": "a"}]', "found 'run'; expected columns 'run' and 'date'"),
            ("run,date\na,\n", "line 2: found no date for run 'a'; expected a date for every run"),
            ("run,date\n,2020-01-01\n", "line 2: found a row without a run"),
            ("run,date\na,yesterday\n", "line 2: found date 'yesterday'"),
            ("run,date\na,2020-02-30\n", "line 2: found date '2020-02-30'; expected a day such as 2020-08-11"),
            ("run,date\na,2020-01-01\na,2020-01-02\n", "line 3: found run 'a' again, first on line 2"),
            ("run,date\n", "found no rows below the header"),
        ],
    )
    def test_a_fault_is_named(self, write: Write, content: str, message: str) -> None:
        with pytest.raises(FormatError) as error:
            read_dates(write("meta.csv", content))
        assert message in str(error.value)


class TestSubmissions:
    def test_runs_teams_dates_and_embargoes_are_read(self, write: Write) -> None:
        rows = "run,date,team,embargo_until,note\na,2021-05-01,Halden,2021/12/31,x\nb,2021/05/02,Norrland,,\n"
        made = read_submissions(write("s.csv", rows))
        first, second = made.entries
        assert (first.run, first.team, first.date) == ("a", "Halden", date(2021, 5, 1))
        assert (first.embargo_until, second.embargo_until) == (date(2021, 12, 31), None)
        assert made.source.endswith("s.csv")
        assert made.digest.startswith("sha256:")

    def test_embargoes_may_be_missing_and_a_run_may_go_by_its_id(self, write: Write) -> None:
        made = read_submissions(write("s.csv", "id,date,team\n20210501a,2021-05-01,Halden\n"))
        assert (made.entries[0].run, made.entries[0].embargo_until) == ("20210501a", None)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("run,date\na,2021-05-01\n", "found 'run', 'date'; expected columns 'run', 'team' and 'date'"),
            ("run,team,date\n", "found no rows below the header"),
            ("run,team,date\na,,2021-05-01\n", "line 2: found no team for run 'a'; expected a team for every run"),
            ("run,team,date\na,t,\n", "line 2: found no date for run 'a'; expected a date for every run"),
            ("run,team,date\n,t,2021-05-01\n", "line 2: found a row without a run"),
            ("run,team,date\na,t,1 May\n", "line 2: found date '1 May'"),
            ("run,team,date,embargo\na,t,2021-05-01,soon\n", "line 2: found date 'soon'"),
            (
                "run,team,date,embargo\na,t,2021-05-01,2021-05-01\nb,t,2021-05-02,2021-05-01\n",
                "line 3: found an embargo until 2021-05-01, before the submission on 2021-05-02",
            ),
            (
                "run,team,date\na,t,2021-05-01\nb,t,2021-05-01\na,t,2021-05-02\n",
                "line 4: found run 'a' again, first on line 2",
            ),
        ],
    )
    def test_what_is_wrong_is_said_with_its_line(self, write: Write, content: str, message: str) -> None:
        with pytest.raises(FormatError, match=message):
            read_submissions(write("s.csv", content))
