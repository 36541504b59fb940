"""The notebooks of the site run from top to bottom, show what their pages show, and are read by Jupyter."""

import pytest

from scripts.pages import notebooks
from tests.conftest import COMPILED

TRAINS = "train"  # half a minute, and other numbers every time


def printed(notebook):
    """What the cells print."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return ["".join(output["text"]) for output in outputs if output["output_type"] == "stream"]


def kinds(notebook):
    """What every cell shows."""
    return [
        [sorted(output.get("data", ["stream"])) for output in cell.get("outputs", [])] for cell in notebook["cells"]
    ]


def test_there_are_four():
    assert ["look", "measure", "quick-start", "train"] == notebooks.names()


@pytest.mark.skipif(not COMPILED, reason="thousands of games")
@pytest.mark.parametrize(
    "notebook", [pytest.param(name, marks=pytest.mark.slow if name == TRAINS else ()) for name in notebooks.names()]
)
def test_a_notebook_runs_and_shows_what_is_kept(notebook):
    kept = notebooks.read(notebook)
    now = notebooks.executed(kept)
    assert kinds(kept) == kinds(now)
    if notebook != TRAINS:
        assert printed(kept) == printed(now)


@pytest.mark.parametrize("notebook", notebooks.names())
def test_the_page_of_a_notebook_is_current(notebook):
    for name, data in notebooks.page_of(notebook, notebooks.read(notebook)).items():
        assert data == (notebooks.FOLDER / name).read_bytes(), name


@pytest.mark.parametrize("notebook", notebooks.names())
def test_jupyter_reads_it(notebook):
    """As the format asks: https://nbformat.readthedocs.io, version 4.5."""
    whole = notebooks.read(notebook)
    assert (4, 5) == (whole["nbformat"], whole["nbformat_minor"])
    assert len(whole["cells"]) == len({cell["id"] for cell in whole["cells"]})
    for cell in whole["cells"]:
        needed = {"cell_type", "id", "metadata", "source"}
        needed |= {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert needed == set(cell)


def test_a_cell_shows_its_last_value_and_what_it_prints():
    class Drawn:
        def _repr_svg_(self):
            return "<svg/>"

    namespace = {"drawn": Drawn()}
    (stream, result) = notebooks.run_cell("print(1)\nx = 2\nx + 1", namespace, 4)
    assert (["1\n"], {"text/plain": ["3"]}, 4) == (stream["text"], result["data"], result["execution_count"])
    assert ["<svg/>"] == notebooks.run_cell("drawn", namespace, 5)[0]["data"]["image/svg+xml"]
    assert [] == notebooks.run_cell("y = 1", namespace, 6)
    with pytest.raises(NameError):
        notebooks.run_cell("z", namespace, 7)
