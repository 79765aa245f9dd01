"""How does the command line learn of movers of one's own? It runs the Python named with --import, and no other.

A scene only ever names kinds of movers. Which Python makes them known is for whoever types to say.
"""

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from keypose.errors import KeyposeError, short_repr
from keypose.files import file_label, read_whole


def import_modules(names: list[str]) -> None:
    """Import modules by name, and files that end in .py."""
    for name in names:
        try:
            if name.endswith(".py"):
                _run_file(Path(name))
            else:
                import_module(name)
        except KeyposeError:
            raise
        except ModuleNotFoundError as error:
            if error.name != name:
                raise _import_error(name, error) from error
            raise KeyposeError(
                f"There is no module {short_repr(name)}. Install it, or give a file, as --import movers.py."
            ) from error
        except (Exception, SystemExit) as error:  # whatever a stranger's Python does
            raise _import_error(name, error) from error


def _run_file(file: Path) -> None:
    """Run a file as a module of its own, with its neighbours in reach."""
    read_whole(file)  # so that a missing one gets a sentence, with a near name
    module = f"imported_{file.stem}"
    spec = spec_from_file_location(module, file)
    if spec is None or spec.loader is None:
        raise KeyposeError(f"{file_label(file)} is no Python. Give a file that ends in .py.")
    loaded = module_from_spec(spec)
    sys.modules[module] = loaded  # where its dataclasses look for their types
    sys.path.append(str(file.resolve().parent))
    try:
        spec.loader.exec_module(loaded)
    except BaseException:
        sys.path.pop()
        del sys.modules[module]
        raise


def _import_error(name: str, error: BaseException) -> KeyposeError:
    what = f"{type(error).__name__}: {error}"
    return KeyposeError(f"{file_label(name)} could not be imported ({what:.200}). Mend it; --debug shows where.")
