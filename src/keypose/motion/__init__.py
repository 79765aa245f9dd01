"""Motions: a path and a timing make a pure function of time that evaluates to poses.

`motion` and `pose` are the core, `hierarchy` parents and `facing` orientations along the path, `relative` keys in the
frames of other actors, `take` recorded motions and events. `mover`, `system`, `sensing_protocol` and `sync_protocol`
declare what is simulated, for the packages that simulate.
Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
