"""The gallery lists every figure with title, sentence, picture and code, and the page in the tree is up to date."""

from pathlib import Path

import pytest

from keypose import KeyposeError
from keypose.plot.gallery import PAPERS, draw_gallery, index_page, read_entries, scripts

ROOT = Path(__file__).parents[2]
SCRIPTS, GALLERY = ROOT / "examples" / "papers", ROOT / "docs" / "gallery"

STILL_SCRIPT = '''"""KB84 figure 7: a title

What there is to see,
in a sentence.
"""

from keypose import MotionPath
from keypose.plot.drawing import Drawing


def draw() -> Drawing:
    drawing = Drawing(width=1.0, height=1.0)
    drawing.panel().path(MotionPath([(0, 0), (1, 1)]))
    return drawing
'''
FILM_SCRIPT = (
    STILL_SCRIPT.replace("KB84 figure 7", "GL95 figure 4")
    + """

def film():
    from keypose import Motion, MotionPath
    from keypose.plot.film import Film

    drawing = draw()
    return Film(drawing, 0.1).run(drawing.panels[0], Motion(MotionPath([(0, 0), (1, 1)]), duration=0.1))
"""
)


def write_scripts(folder, **scripts):
    for name, text in scripts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def test_all_51_figures_have_a_script():
    assert [sum(entry.paper == paper for entry in read_entries(SCRIPTS)) for paper in PAPERS] == [24, 5, 5, 10, 11]


def test_gallery_page_is_up_to_date_with_the_scripts():
    assert (GALLERY / "README.md").read_text(encoding="utf-8") == index_page(read_entries(SCRIPTS)), "Run: make gallery"


def test_repository_contains_exactly_the_pictures_and_films_of_the_page():
    entries = read_entries(SCRIPTS)
    files = {entry.picture_file for entry in entries} | {entry.film_file for entry in entries if entry.film_file}
    assert {file.name for file in GALLERY.iterdir()} == files | {"README.md"}


def test_gallery_is_drawn_with_pictures_films_and_page(tmp_path):
    messages = []
    scripts = write_scripts(tmp_path, kb84_07=STILL_SCRIPT, gl95_04=FILM_SCRIPT, notes="nothing", other_01="nothing")
    entries = draw_gallery(scripts, tmp_path / "out", messages.append)
    assert [entry.title for entry in entries] == ["GL95 figure 4: a title", "KB84 figure 7: a title"]
    assert messages == ["gl95_04: GL95 figure 4: a title", "kb84_07: KB84 figure 7: a title"]
    file_names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert file_names == ["README.md", "gl95-04.svg", "gl95-04.webp", "kb84-07.svg"]
    assert (tmp_path / "out" / "README.md").read_text(encoding="utf-8") == index_page(entries)


def test_interrupted_gallery_leaves_the_folder_unchanged(tmp_path):
    out = tmp_path / "deep" / "out"
    scripts = write_scripts(
        tmp_path, kb84_07=STILL_SCRIPT, kb84_08=STILL_SCRIPT.replace("return drawing", "raise KeyboardInterrupt")
    )
    for already in (False, True):
        if already:
            draw_gallery(write_scripts(tmp_path / "deep", kb84_07=STILL_SCRIPT), out)
        before = {file: file.read_bytes() for file in out.rglob("*")}
        with pytest.raises(KeyboardInterrupt):
            draw_gallery(scripts, out)
        assert {file: file.read_bytes() for file in out.rglob("*")} == before
        assert out.exists() == already
        assert [file.name for file in out.parent.iterdir() if file.name.startswith(".")] == []


def test_scripts_come_from_the_source_tree_or_the_wheel(tmp_path, monkeypatch):
    assert scripts() == SCRIPTS
    package = tmp_path / "lib" / "python" / "keypose"
    (package / "plot").mkdir(parents=True)
    monkeypatch.setitem(scripts.__globals__, "__file__", str(package / "plot" / "gallery.py"))
    with pytest.raises(KeyposeError, match=r"did not come with this copy of Keypose\. Install it again\."):
        scripts()
    (package / "examples" / "papers").mkdir(parents=True)
    assert scripts() == package.resolve() / "examples" / "papers"


def test_page_lists_title_description_picture_and_code(tmp_path):
    text = index_page(read_entries(write_scripts(tmp_path, kb84_07=STILL_SCRIPT, gl95_04=FILM_SCRIPT)))
    for line in (
        f"## {PAPERS['kb84']}",
        "### KB84 figure 7: a title",
        "What there is to see, in a sentence.",
        "![KB84 figure 7: a title](kb84-07.svg)",
        "![GL95 figure 4: a title, moving](gl95-04.webp)",
        "def draw() -> Drawing:",
    ):
        assert line in text.splitlines()
    assert text.index("KB84 figure 7") < text.index("GL95 figure 4")  # in the order of the papers
    assert PAPERS["bh89"] not in text  # of which nothing is drawn
    assert '"""' not in text


@pytest.mark.parametrize("broken", [
    STILL_SCRIPT.split('"""')[2],
    STILL_SCRIPT.replace("\n\nWhat there is to see,\nin a sentence.", ""),
    STILL_SCRIPT.replace("def draw()", "def paint()"),
    "",
], ids=["no docstring", "no sentence", "no draw()", "empty"])  # fmt: skip
def test_incomplete_script_is_refused_before_drawing(tmp_path, broken):
    write_scripts(tmp_path, kb84_07=STILL_SCRIPT, kb84_08=broken)
    with pytest.raises(KeyposeError, match=r"kb84_08.py needs a title, a sentence on what to see, and a function draw"):
        draw_gallery(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_folder_without_figures_is_refused(tmp_path):
    with pytest.raises(KeyposeError, match=r"There are no figures in .* such as kb84_07\.py"):
        draw_gallery(tmp_path, tmp_path / "out")
