"""Published leaderboards, read from CSV."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from toprung.data.formats.tables.leaderboard_files import read_leaderboard, read_twice_scored
from toprung.data.submissions import TwiceScored
from toprung.errors import FormatError, InputError

Write = Callable[[str, str | bytes], Path]

HEADER = "id,date,,description,team,MRR@100 (Dev),MRR@100 (Eval),tweet\n"


class TestLeaderboard:
    def test_entries_keep_what_was_published(self, write: Write) -> None:
        board = read_leaderboard(write("b.csv", HEADER + 'r1,2020/08/11,x,"BM25, tuned",Team A,0.3,0.25,12\n'))
        (entry,) = board.entries
        assert (entry.run_id, entry.name, entry.team, entry.line) == ("r1", "BM25, tuned", "Team A", 2)
        assert (entry.date, entry.score) == (date(2020, 8, 11), 0.25)
        assert entry.label == "BM25, tuned"

    def test_of_several_scores_the_one_on_hidden_queries_is_taken(self, write: Write) -> None:
        board = read_leaderboard(write("b.csv", HEADER + "r1,2020/08/11,,n,t,0.3,0.25,12\n"))
        assert board.score_column == "MRR@100 (Eval)"
        assert board.other_score_columns == ("MRR@100 (Dev)",)

    @pytest.mark.parametrize("asked", ["MRR@100 (Dev)", "mrr@100 (dev)", " MRR@100 (Dev) "])
    def test_another_column_can_be_named(self, write: Write, asked: str) -> None:
        path = write("b.csv", HEADER + "r1,2020/08/11,,n,t,0.3,0.25,12\n")
        board = read_leaderboard(path, score_column=asked)
        assert (board.score_column, board.entries[0].score) == ("MRR@100 (Dev)", 0.3)

    def test_a_single_score_needs_no_name(self, write: Write) -> None:
        assert (
            read_leaderboard(write("b.csv", "run,date,ndcg_cut_10\na,2020-08-11,0.5\n")).score_column == "ndcg_cut_10"
        )

    def test_rows_without_a_date_or_a_score_are_counted_and_left_out(self, write: Write) -> None:
        board = read_leaderboard(write("b.csv", "id,date,eval\na,2020/08/11,0.1\nb,,0.2\nc,2020/08/12,\nd,,\n"))
        assert [entry.run_id for entry in board.entries] == ["a"]
        assert (board.n_without_date, board.n_without_score) == (2, 1)

    def test_entries_of_one_date_keep_the_order_of_the_file(self, write: Write) -> None:
        rows = "b,2020/08/12,1\na,2020/08/11,1\nd,2020/08/11,1\nc,2020/08/12,1\n"
        board = read_leaderboard(write("b.csv", f"id,date,eval\n{rows}"))
        assert [entry.run_id for entry in board.by_date()] == ["a", "d", "b", "c"]

    def test_an_anonymous_entry_goes_by_its_id(self, write: Write) -> None:
        rows = "x7,Anonymous,2020/08/11,1\n,Anonymous,2020/08/11,1\ny8,,2020/08/11,1\n"
        board = read_leaderboard(write("b.csv", f"id,description,date,eval\n{rows}"))
        assert [entry.label for entry in board.entries] == ["x7", "Anonymous", "y8"]

    def test_compressed_crlf_and_byte_order_mark_are_read(self, write: Write) -> None:
        content = "\ufeffid,date,eval\r\na,2020/08/11,0.1\r\n\r\n".encode()
        assert len(read_leaderboard(write("b.csv.gz", gzip.compress(content))).entries) == 1

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("", "found an empty file"),
            ("id,eval\na,1\n", "line 1: found 'id', 'eval'; expected a column 'date'"),
            ("date,eval\n2020-01-01,1\n", "expected a column 'id' or 'description' that names the run"),
            ("id,date,date,eval\na,b,c,1\n", "line 1: found 2 columns 'date'; expected one"),
            ("id,date,eval\na,2020-01-01\n", "line 2: found 2 columns; expected 3 as in the header"),
            ("id,date,eval\na,11.8.2020,1\n", "line 2: found date '11.8.2020'; expected a day such as 2020-08-11"),
            ("id,date,eval\na,2020/02/30,1\n", "line 2: found date '2020/02/30'"),
            ('id,date,eval\n"a\nb",2020-01-01,1\nc,2020-1/1,1\n', "line 4: found date '2020-1/1'"),
            ("id,date,eval\n,2020-01-01,1\n", "line 2: found a row without id and description"),
            ("id,date,eval\na,,1\n", "found 1 rows; expected at least one row with a date and a score"),
            ('id,date,eval\n"a,2020-01-01,1\n', "found text that is not CSV"),
        ],
    )
    def test_a_fault_is_named(self, write: Write, content: str, message: str) -> None:
        with pytest.raises(FormatError) as error:
            read_leaderboard(write("b.csv", content))
        assert message in str(error.value)

    def test_text_in_the_score_column_is_a_fault(self, write: Write) -> None:
        path = write("b.csv", "id,date,eval\na,2020-01-01,1\nb,2020-01-01,n/a\nc,2020-01-01,nan\n")
        with pytest.raises(FormatError, match="line 3: found score 'n/a'; expected a finite number, or nothing"):
            read_leaderboard(path, score_column="eval")

    def test_bytes_that_are_not_utf8_are_a_fault(self, write: Write) -> None:
        with pytest.raises(FormatError, match="line 2: found byte 0xff"):
            read_leaderboard(write("b.csv", b"id,date,eval\na\xff,2020-01-01,1\n"))

    def test_several_possible_scores_are_listed(self, write: Write) -> None:
        path = write("b.csv", "id,date,RR@10,nDCG@10,year\na,2020-01-01,1,1,2020\n")
        with pytest.raises(FormatError) as error:
            read_leaderboard(path)
        assert "found 2 columns that may be the score, 'RR@10', 'nDCG@10'; expected one." in str(error.value)
        assert "--score-column" in str(error.value)

    def test_no_possible_score_and_an_unknown_name_list_the_columns(self, write: Write) -> None:
        path = write("b.csv", "id,date,quality\na,2020-01-01,1\n")
        with pytest.raises(FormatError, match="'id', 'date', 'quality'; expected a column whose name says"):
            read_leaderboard(path)
        with pytest.raises(
            FormatError, match="found no column 'eval'; expected one of the columns 'id', 'date', 'qual"
        ):
            read_leaderboard(path, score_column="eval")
        assert read_leaderboard(path, score_column="quality").entries[0].score == 1

    @pytest.mark.parametrize(
        ("name", "n_entries", "column", "n_dev"),
        [("msmarco-doc.csv", 117, "MRR@100 (Eval)", 96), ("msmarco-passage.csv", 168, "eval", 155)],
    )
    def test_the_public_leaderboards_are_read(
        self, shared_data: Path, name: str, n_entries: int, column: str, n_dev: int
    ) -> None:
        path = shared_data / "leaderboard-history" / name
        board = read_leaderboard(path)
        assert (len(board.entries), board.score_column) == (n_entries, column)
        assert (board.n_without_date, board.n_without_score) == (0, 0)
        (dev,) = board.other_score_columns
        assert len(read_leaderboard(path, score_column=dev).entries) == n_dev


class TestTwiceScored:
    def read(self, path: Path, public: str = "dev", private: str = "eval") -> TwiceScored:
        return read_twice_scored(path, public_column=public, private_column=private)

    def test_both_scores_are_read_whether_there_are_dates_or_not(self, write: Write) -> None:
        for header, dates in (("id,team,dev,eval", ("", "")), ("id,team,date,dev,eval", ("2020/08/11,", ","))):
            rows = "".join(
                f"{run},t,{day}{score}\n" for run, day, score in zip("ab", dates, ("1,2", "3,4"), strict=True)
            )
            board = self.read(write("b.csv", f"{header}\n{rows}"))
            assert [(each.label, each.team, each.public, each.private) for each in board.entries] == [
                ("a", "t", 1, 2),
                ("b", "t", 3, 4),
            ]
            assert (board.public_column, board.private_column) == ("dev", "eval")

    def test_rows_that_lack_a_score_are_counted(self, write: Write) -> None:
        board = self.read(write("b.csv", "id,dev,eval\na,1,2\nb,1,\nc,,2\nd,,\n"))
        assert [each.label for each in board.entries] == ["a"]
        assert (board.n_one_sided, board.n_without_score) == (2, 1)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("dev,eval\n1,2\n", "expected a column 'id' or 'description' that names the run"),
            ("id,dev,eval\n,1,2\n", "line 2: found a row without id and description"),
            ("id,dev,eval\na,1,x\n", "line 2: found score 'x'; expected a finite number, or nothing"),
            ("id,dev,eval\na,1,-2e8\n", r"line 2: found score '-2e8'; expected a size of at most 1e\+08"),
            ("id,dev\na,1\n", "found no column 'eval'; expected one of the columns 'id', 'dev'"),
        ],
    )
    def test_a_fault_is_named(self, write: Write, content: str, message: str) -> None:
        with pytest.raises(FormatError, match=message):
            self.read(write("b.csv", content))

    def test_one_column_is_not_two(self, write: Write) -> None:
        with pytest.raises(InputError, match="Found the column 'dev' as public and private; expected two columns"):
            self.read(write("b.csv", "id,dev,eval\na,1,2\n"), "dev", " DEV")
