"""A table says what it holds in its header; what is wrong in one is named by row and column."""

import csv
import io

import numpy as np
import pytest

from keypose import KeyposeError, UnknownNameError
from keypose.export import csv_rows, csv_table, tracks
from keypose.export.csv_table import csv_lines, csv_take, frame_rate
from keypose.motion.pose import Pose
from keypose.motion.take import Take

HEAD = "time [s],glass.x [m],glass.y [m],glass.z [m],glass.qw,glass.qx,glass.qy,glass.qz"
TABLE = f"{HEAD}\n0,1,2,3,1,0,0,0\n0.5,1,2,4,1,0,0,0\n1,1,2,5,1,0,0,0\n"
DRAWING_HEADER = "time [s],sail.0.x [m],sail.0.y [m],sail.1.x [m],sail.1.y [m],sail.qw,sail.qx,sail.qy,sail.qz\n"


def read(text):
    return csv_take(text.encode())


def written(take):
    return b"".join(csv_lines(take)).decode()


def test_header_has_actor_names_and_units(take):
    header, first, *others = written(take).splitlines()
    assert header.startswith(HEAD)
    assert "sail.1.y [m],sail.qw,sail.qx,sail.qy,sail.qz" in header
    assert first.startswith("0.0,0.0,0.125,0.25,1.0,0.0,0.0,0.0,-0.0,")
    assert len(others) == 2


def test_other_readers_find_one_header_row_and_numbers():
    odd = 'say "so",\n then'
    take = Take([0, 0.5], 2, {odd: Pose(np.ones((2, 3)), np.eye(4)[[0, 0]])})
    rows = list(csv.DictReader(io.StringIO(written(take), newline="")))
    assert [row["time [s]"] for row in rows] == ["0.0", "0.5"]
    assert [float(row[f"{odd}.z [m]"]) for row in rows] == [1, 1]


def test_positions_have_one_column_per_dimension():
    take = Take([0, 1], 1, {"a": Pose(np.ones((2, 5)), np.eye(4)[[0, 0]])})
    assert written(take).startswith("time [s],a.x [m],a.y [m],a.z [m],a.x4 [m],a.x5 [m],a.qw,")


def test_names_are_escaped_only_where_they_could_be_a_drawing_point():
    still = np.eye(4)[[0, 0]]
    cube, sail = Pose(np.ones((2, 1)), still), Pose(np.ones((2, 1, 1)), still)
    assert "Cube.001.x [m],Cube.001.qw" in written(Take([0, 1], 1, {"Cube.001": cube, "sail": sail}))
    assert "sail.0.x [m],sail.qw,sail.qx,sail.qy,sail.qz,sail\\.0.x [m]" in written(
        Take([0, 1], 1, {"sail": sail, "sail.0": cube})
    )


@pytest.mark.parametrize("fps", [24, 25, 30, 60, 24000 / 1001, 30000 / 1001, 23.976, 29.97, 12.5, 1000, 0.1])
def test_common_frame_rates_are_inferred_from_the_times(fps):
    for frames in (2, 3, 25, 1000):
        take = Take(np.arange(frames) / fps, fps, {})
        assert frame_rate(take.times) == fps
        assert written(take).startswith("time [s]\n")
        assert read(written(take)).fps == fps


def test_other_frame_rates_have_their_own_column():
    take = Take([0, 0.3, 1], 24, {})
    assert written(take) == "time [s],fps\n0.0,24.0\n0.3,24.0\n1.0,24.0\n"
    assert read(written(take)) == take
    assert read("time [s]\n0\n0.3\n1\n").fps == 2  # the mean rate, where nobody says


def test_single_frame_without_actors_is_a_table():
    take = Take([3], 24, {})
    assert read(written(take)) == take
    with pytest.raises(KeyposeError, match="Add a column 'fps'"):
        read("time [s]\n3\n")


def test_spreadsheet_changes_are_tolerated():
    take = read(TABLE)
    assert take.fps == 2
    assert take["glass"].position[:, 2].tolist() == [3, 4, 5]
    for text in (
        "\ufeff" + TABLE,
        TABLE.replace("\n", "\r\n"),
        TABLE.rstrip("\n"),
        TABLE + "\n\r\n\n",
        TABLE.replace(",1,2,", ', 1 ,"2",'),
        ",".join(f'"{column}"' for column in HEAD.split(",")) + TABLE.removeprefix(HEAD),
    ):
        assert read(text) == take


def test_columns_may_stand_in_any_order():
    rows = [line.split(",") for line in TABLE.splitlines()]
    order = np.random.default_rng(3).permutation(8)
    assert read("\n".join(",".join(row[i] for i in order) for row in rows)) == read(TABLE)


def test_table_is_read_in_chunks(take, monkeypatch):
    data = written(take).encode()
    monkeypatch.setattr(csv_rows, "CHUNK_BYTES", 7)
    monkeypatch.setattr(csv_table, "CHUNK_NUMBERS", 7)
    assert csv_take(data) == Take(take.times, take.fps, take.poses)
    assert csv_take(io.BytesIO(data)) == csv_take(data + b"\n\n\n")
    with pytest.raises(KeyposeError, match="Row 5 is empty, but others follow"):
        csv_take(data + b"\n\n\n\n1,2\n")
    with pytest.raises(KeyposeError, match="Row 5 has 2 cells"):
        csv_take(data + b"1,2\n")


def changed(row, column, cell):
    rows = [line.split(",") for line in TABLE.splitlines()]
    rows[row - 1][column] = cell
    return "\n".join(",".join(cells) for cells in rows)


INVALID = {
    "nothing": ("", "empty"),
    "blank lines": ("\n\n", "empty"),
    "a header alone": (HEAD, "no rows"),
    "text": (changed(3, 2, "two"), r"Row 3, column 'glass\.y \[m\]' says 'two'\. Give a finite number"),
    "a number in words of Python": (changed(3, 2, "1_000"), "Row 3, .* says '1_000'"),
    "not a number": (changed(4, 3, "nan"), r"Row 4, column 'glass\.z \[m\]' says 'nan'"),
    "infinity": (changed(4, 3, "-inf"), "says '-inf'"),
    "too large a number": (changed(2, 1, "1e999"), "Row 2, .* says '1e999'"),
    "an empty cell": (changed(2, 1, " "), r"Row 2, column 'glass\.x \[m\]' is empty"),
    "letters of other alphabets": (changed(2, 1, "１"), "Row 2, .* says"),
    "a short row": (TABLE + "2,1,2\n", "Row 5 has 3 cells for 8 columns"),
    "a long row": (TABLE + "2,1,2,6,1,0,0,0,9\n", "Row 5 has 9 cells"),
    "a row of commas": (TABLE + "," * 3_000_000, "Row 5 has 3000001 cells"),
    "long rows throughout": (TABLE.replace(",0,0,0\n", ",0,0,0,\n"), "Row 2 has 9 cells"),
    "an empty row": (TABLE.replace("\n0.5", "\n\n0.5"), "Row 3 is empty"),
    "a row before the first": (TABLE.replace(HEAD, HEAD + "\n"), "Row 2 is empty"),
    "lines that end twice": (TABLE.replace("\n0.5", "\r\r\n0.5"), "Row 2, column 'glass.qz' says"),
    "times that stand": (changed(4, 0, "0.5"), r"Row 4, column 'time \[s\]': 0\.5 s does not come after 0\.5 s"),
    "times beyond all time": (changed(2, 0, "-1e200"), "Row 2, .* is out of reach"),
    "times without a rate": ("time [s]\n0\n1e-300\n", "do not tell the frames per second"),
    "a facing without direction": (changed(3, 4, "0"), "Row 3, columns 'glass.qw' to 'qz'.* faces nowhere"),
    "semicolons": (TABLE.replace(",", ";"), "separated by semicolons"),
    "semicolons and quotes": ('"time [s]";"a.x [m]"\n0,5;1\n', "separated by semicolons"),
    "tabs": (TABLE.replace(",", "\t"), "separated by tabs"),
    "carriage returns": (TABLE.replace("\n", "\r"), "carriage returns"),
    "a quote that stays open": (TABLE.replace("glass.y", '"glass.y'), "quotes of column 3 do not pair up"),
    "a quote inside": (TABLE.replace("glass.y", 'gl"as"s.y'), "quotes of column 3"),
    "no time": (TABLE.replace("time [s]", "time"), r"no column 'time \[s\]'\. Did you mean 'time'"),
    "a column twice": (TABLE.replace("glass.y", "glass.x"), r"'glass\.x \[m\]' stands twice, as columns 2 and 3"),
    "a missing unit": (TABLE.replace("x [m]", "x"), r"'glass\.x' is not one of a take\. Did you mean 'glass\.x \[m\]'"),
    "another unit": (TABLE.replace("x [m]", "x [cm]"), r"Did you mean 'glass\.x \[m\]'"),
    "a misspelt actor": (TABLE.replace("glass.x", "glas.x"), r"'glas\.x \[m\]' belongs to nobody.*mean 'glass'"),
    "an unknown column": (TABLE.replace("glass.x [m]", "colour"), r"'colour' is not one of a take\. Delete it"),
    "a place and a drawing": (TABLE.replace("glass.x", "glass.0.x"), "one place and of a drawing"),
    "no second axis": (TABLE.replace("glass.y", "glass.x4"), r"no column 'glass\.y \[m\]', which 'glass' needs"),
    "no facing": ("time [s],a.x [m]\n0,1\n1,2\n", "which way 'a' faces"),
    "half a facing": (TABLE.replace("glass.qx", "fps"), r"no column 'glass\.qx'"),
    "no place": ("time [s],a.qw,a.qx,a.qy,a.qz\n0,1,0,0,0\n", r"no column 'a\.x \[m\]'"),
    "a missing point": (DRAWING_HEADER.replace("sail.1", "sail.2"), r"no column 'sail\.1\.x \[m\]'"),
    "a point beyond counting": (DRAWING_HEADER.replace("sail.1", "sail.999999999"), r"no column 'sail\.1\.x \[m\]'"),
    "an axis beyond counting": (DRAWING_HEADER.replace("1.x ", "1.x999999999 "), r"no column 'sail\.0\.z \[m\]'"),
    "a point with a zero before it": (DRAWING_HEADER.replace("sail.1", "sail.01"), "belongs to nobody"),
    "two ways to write a name": (f"{HEAD},{HEAD[9:]}".replace("glass", "a.b", 7).replace("glass", "a\\.b"), "Two act"),
    "two rates": ("time [s],fps\n0,24\n1,25\n", "Row 3, column 'fps' says 25, but row 2 says 24"),
    "no rate": ("time [s],fps\n0,0\n1,0\n", "more than 0"),
    "one frame of somebody": (f"{HEAD},fps\n0,1,2,3,1,0,0,0,24\n", "two frames or more"),
}  # fmt: skip


@pytest.mark.parametrize("name", INVALID)
def test_invalid_table_is_refused_with_reason(name):
    text, message = INVALID[name]
    with pytest.raises(KeyposeError, match=message) as refused:
        read(text)
    assert len(str(refused.value)) < 300
    assert "\n" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_other_encodings_are_refused():
    for data in (TABLE.encode("utf-16"), TABLE.replace("glass", "gläs").encode("latin-1")):
        with pytest.raises(KeyposeError, match="UTF-8"):
            csv_take(data)
    with pytest.raises(KeyposeError, match="Row 2"):
        csv_take(TABLE.encode().replace(b",1,2,3", b",1,2\xff,3"))


def test_too_large_table_is_refused(monkeypatch):
    monkeypatch.setattr(tracks, "MAX_BYTES", 100)
    with pytest.raises(KeyposeError, match="The table is 131 bytes, more than 100"):
        read(TABLE)
    monkeypatch.setattr(csv_rows, "MAX_BYTES", 40)
    with pytest.raises(KeyposeError, match="bytes, more than"):
        csv_take(Pipe(TABLE.encode()))
    monkeypatch.undo()
    monkeypatch.setattr(csv_rows, "MAX_NUMBERS", 23)
    with pytest.raises(KeyposeError, match="more than 23 numbers"):
        read(TABLE)
    monkeypatch.setattr(csv_rows, "MAX_HEADER_BYTES", 50)
    with pytest.raises(KeyposeError, match="header of the table is longer than 50 bytes"):
        read(TABLE)
    monkeypatch.setattr(csv_rows, "MAX_ROW_BYTES", 50)
    monkeypatch.setattr(csv_rows, "CHUNK_BYTES", 1)
    with pytest.raises(KeyposeError, match="row of the table is longer than 50 bytes"):
        read("time [s]\n0" + " " * 100)
    monkeypatch.setattr(csv_table, "MAX_HEADER_BYTES", 50)
    with pytest.raises(KeyposeError, match="8 columns, too many"):
        csv_lines(Take([0, 1], 1, {"glass": Pose(np.ones((2, 3)), np.eye(4)[[0, 0]])}))


class Pipe(io.BytesIO):
    """Something whose size nobody knows."""

    def seekable(self):
        return False


def test_unseekable_stream_is_read():
    assert csv_take(Pipe(TABLE.encode())) == read(TABLE)


def test_column_name_is_no_actor_name():
    with pytest.raises(UnknownNameError):
        read(TABLE)["glass.x [m]"]
