"""Write the stage of each numbered example as a scene file beside it, examples/01_….json; of bodies in papers too."""

import runpy
from pathlib import Path

from keypose.document.scene import write

EXAMPLES = Path(__file__).parents[1] / "examples"


def main() -> None:
    """Write them all."""
    papers = (file for file in (EXAMPLES / "papers").glob("*.py") if "\nSCENE = " in file.read_text(encoding="utf-8"))
    for file in sorted([*EXAMPLES.glob("[0-9][0-9]_*.py"), *papers]):
        namespace = runpy.run_path(str(file))
        stage = namespace.get("stage", namespace.get("SCENE"))
        if stage is not None:
            file.with_suffix(".json").write_bytes(b"".join(write(stage)))
            print(file.with_suffix(".json").name)


if __name__ == "__main__":
    main()
