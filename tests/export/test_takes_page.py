"""docs/takes.md keeps its word: its example is what is written, its tables are what an archive holds."""

import io
import re
from contextlib import chdir
from pathlib import Path

import numpy as np
import pytest

from keypose.export import csv_rows, npz_members, npz_table, tracks
from keypose.export.csv_table import csv_lines, csv_take
from keypose.export.npz_table import npz_bytes
from keypose.motion.take import Take

PAGE = (Path(__file__).parents[2] / "docs" / "takes.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def rows(section):
    """The cells of the table of a section, its head and rule aside."""
    text = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    lines = [line for line in next(part for part in text if part.startswith(section)).splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The names that the examples of the page define, one after the other."""
    names = {}
    with chdir(tmp_path_factory.mktemp("page")):
        for block in blocks("python"):
            exec(block, names)
    return names


def test_page_table_is_the_csv_of_its_take(example):
    take, (table,) = example["take"], blocks("csv")
    assert b"".join(csv_lines(take)).decode() == table
    assert csv_take(table.encode()) == Take(take.times, take.fps, take.poses)


def test_every_column_of_the_example_is_explained(example):
    documented = {column for row in rows("`.csv`") for column in re.findall(r"`([^`]+)`", row[0])}
    header = blocks("csv")[0].splitlines()[0].split(",")
    assert documented - set(header) == {"fps"}
    assert {column for column in header if not column.startswith("sail")} <= documented


def test_every_array_of_an_archive_is_documented_with_dtype_and_shape(example):
    take, documented = example["take"], {row[0].strip("`"): row[1:] for row in rows("`.npz`")}
    lengths = {"frames": 3, "actors": 2, "events": 1, "dim": 3, "4": 4}
    with np.load(io.BytesIO(npz_bytes(take))) as arrays:
        assert set(documented) | {"position_1", "orientation_1"} == set(arrays.files)
        for name, (kind, shape, _) in documented.items():
            assert arrays[name].dtype == kind if kind != "text" else arrays[name].dtype.kind == "U"
            words = re.findall(r"\w+", shape.split(" or ")[0])
            assert arrays[name].shape == tuple(lengths[word] for word in words)


def test_second_point_is_found_with_numpy_alone(example):
    assert example["tip"].tolist() == [[1, 0], [1, 0.1], [1, 0.3]]


def test_limits_on_the_page_are_those_of_the_code():
    limits = [int(re.match(r"[\d,]+", row[1])[0].replace(",", "")) for row in rows("Limits")]
    actors = (npz_members.MAX_MEMBERS - len(npz_table.REQUIRED_ARRAYS)) // 2
    assert limits == [tracks.MAX_BYTES, tracks.MAX_NUMBERS, csv_rows.MAX_HEADER_BYTES, actors, npz_table.MAX_EVENTS]
