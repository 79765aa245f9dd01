"""The shape of a motion, apart from its speed: keys, tangents, and the path through the keys.

`key` holds what an animator states, `tangents` computes tangents from tension, continuity and bias, `path` the curve
through the keys and its edits, `orientation_path` the orientations along it, `distance` the arc length and its inverse,
`relative` paths with keys in moving frames, `kernels` the numba kernels.
Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
