"""Bodies that follow rough paths, collide and come back (LG95 sections 3 and 4), simulated by MuJoCo.

`values` holds shapes, bodies, movers, figures and connections, as the animator states them; `engine` the MuJoCo model;
`following` targets and force law of followers; `relative` followed paths with relative keys; `diagnostics` what is
reported; `sync` distances to meeting goals; `simulation` the system of all bodies and its state.
Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
