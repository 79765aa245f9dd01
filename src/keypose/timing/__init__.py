"""The speed of a motion, apart from its shape.

`speed_profile` holds a drawn speed, `key_times` a time per key, `clocks` the distance along a path at a time under
either, `extrapolation` times outside the duration, `frames` frame numbers and times.
Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
