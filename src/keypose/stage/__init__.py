"""Actors that know each other by name, their poses at any time, live runs, and shooting.

`actor` and `stage` hold what the animator states; `resolve` maps names to systems; `evaluate` computes the poses of
keyed actors in batches; `run` simulates tick by tick; `recorder` shoots a stage into a take.
Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
