"""Force fields and what they steer (PF89): an acceleration for every position and time.

`algebra` holds fields and what can be done to one, `library`, `noise` and `formula` the kinds of field, `tracking` the
trackers, `splines` dynamic splines, `sensing` which mover senses what as arrays, `system` their simulation, `describe`
names for titles, `kernels` the numba kernels.

The words that users write are in `__all__`; other packages import from here too.
"""

import lazy_loader

__all__ = [
    "Attractor",
    "Avoid",
    "Field",
    "Formula",
    "Keep",
    "KeepDistance",
    "KeepOffset",
    "KeepOnLine",
    "KeepOnPlane",
    "Noise",
    "Pointer",
    "Potential",
    "Repeller",
    "Slider",
    "Spring",
    "Uniform",
    "Vortex",
    "Wall",
]

__getattr__, _, _ = lazy_loader.attach_stub(__name__, __file__)


def __dir__() -> list[str]:
    return __all__
