"""Pictures of paths, motions, orientations, profiles, fields, scripts, stages and takes, in the papers' notation.

`sheet` composes and saves one picture. `stage`, `field` and `script` draw the sheets of their subject, `marks` draws
one thing into given axes, `canvas` holds theme, views and labels. `drawing`, `film` and `gallery` draw the papers'
figures.
matplotlib is imported only when something is plotted.
Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
