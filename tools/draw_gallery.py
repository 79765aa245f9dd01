"""Redraw the papers' figures into docs/gallery, and the README's picture. `make gallery` runs this."""

import runpy
import time
from pathlib import Path

from keypose import plot
from keypose.plot.gallery import draw_gallery, scripts


def main() -> None:
    """Draw all, and say how long it took."""
    start_time = time.perf_counter()
    entries = draw_gallery(scripts(), Path("docs/gallery"), print)
    plot(runpy.run_path("examples/demo.py")["motion"]).save("docs/demo.png")
    films = sum(entry.film_file is not None for entry in entries)
    print(
        f"{len(entries)} figures and {films} films in {time.perf_counter() - start_time:.0f} s: docs/gallery/README.md"
    )


if __name__ == "__main__":
    main()
