"""A mesh that cannot be simulated is told of by its actor, its file, what is wrong with it, and what to do."""

import os

import numpy as np
import pytest

from keypose import Actor, Body, Free, KeyposeError, Mesh, Sphere, Stage, Still, shoot

CUBE = "\n".join(f"v {x} {y} {z}" for x in (0, 1) for y in (0, 1) for z in (0, 1))
CUBE += "\nf 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
CORNERS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], "<f4")
SIDES = [CORNERS[list(side)].tobytes() for side in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))]
STL = bytes(80) + (4).to_bytes(4, "little") + b"".join(bytes(12) + side + bytes(2) for side in SIDES)
FACET = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"


@pytest.fixture
def simulate_mesh(tmp_path, monkeypatch):
    """Simulates a mesh of such a content for a moment."""
    monkeypatch.chdir(tmp_path)

    def simulate(name, content, scale=1.0, build_mover=lambda body: Free(body, (0, 0, 0))):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        ball = Actor("ball", Free(Body(Sphere(0.3)), (2e4, 0, 0)))
        shoot(Stage([ball, Actor("stone", build_mover(Body(Mesh(name, scale))))], gravity=(0, -9.81, 0)), 0.01)

    return simulate


@pytest.mark.parametrize("build_mover", [Still, lambda body: Free(body, (0, 0, 0))], ids=["still", "free"])
@pytest.mark.parametrize("scale", [1e9, 1.1e4, 0.9e-4, 1e-5, 1e-40])
def test_scale_making_a_mesh_too_small_or_too_large_is_refused_with_its_size(simulate_mesh, scale, build_mover):
    with pytest.raises(KeyposeError) as error:
        simulate_mesh("cube.obj", CUBE, scale, build_mover)
    assert str(error.value) == (
        f"Actor 'stone' has the mesh 'cube.obj' with scale={scale:g}, so its longest side is {scale:.3g} m. "
        "Give a scale at which all sides are 0.0001 to 10000 m."
    )


@pytest.mark.parametrize("scale", [1e4, 1.0, 1e-4])
def test_mesh_may_be_as_small_and_as_large_as_a_box(simulate_mesh, scale):
    simulate_mesh("cube.obj", CUBE, scale)


def test_mesh_that_is_too_thin_is_refused_with_its_shortest_side(simulate_mesh):
    with pytest.raises(KeyposeError, match=r"scale=1, so its shortest side is 1e-05 m\. Give a scale"):
        simulate_mesh("sheet.obj", CUBE.replace(" 1\n", " 1e-5\n"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.obj", "hello,\nnobody\n", "which is no .obj file: no line says a corner, as 'v 0 1 0'. Save it as one."),
        ("a.obj", "", "which is no .obj file: no line says a corner, as 'v 0 1 0'. Save it as one."),
        ("a.stl", f"solid a\n{FACET}endsolid\n", "an .stl file in words. Save it as a binary one, or as .obj."),
        ("a.STL", f"solid a\n{9 * FACET}endsolid\n", "an .stl file in words. Save it as a binary one, or as .obj."),
        ("a.stl", STL[:-1], "which is no .stl file of 1 to 200,000 triangles, or not all of it. Save it anew."),
        ("a.stl", b"", "which is no .stl file of 1 to 200,000 triangles, or not all of it. Save it anew."),
    ],
)
def test_file_without_a_mesh_is_refused_with_reason(simulate_mesh, name, content, message):
    with pytest.raises(KeyposeError) as error:
        simulate_mesh(name, content)
    assert str(error.value) == f"Actor 'stone' has the mesh {name!r}, {message}"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_folder_and_pipe_are_refused_as_meshes_without_blocking(tmp_path):
    os.mkfifo(tmp_path / "pipe.obj")
    (tmp_path / "folder.obj").mkdir()
    for name in ("pipe.obj", "folder.obj"):
        with pytest.raises(KeyposeError, match=r"there is no such file\."):
            shoot(Stage([Actor("stone", Free(Body(Mesh(tmp_path / name)), (0, 0, 0)))]), 0.01)


def test_a_binary_stl_file_is_a_mesh(simulate_mesh):
    simulate_mesh("a.stl", STL)


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_flat_mesh_is_refused_with_reason_and_remedy(simulate_mesh, scale):
    with pytest.raises(KeyposeError) as error:
        simulate_mesh("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n", scale)
    assert str(error.value) == (
        "Actor 'stone' has the mesh 'flat.obj', which is no solid: coplanar vertices, cannot compute convex hull. "
        "Give a closed surface of four corners or more, not all in a plane."
    )
