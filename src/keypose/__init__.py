"""Keypose: motion design in Python. Key poses, drawn speed, orientation, rendez-vous.

The public names are listed once, in `__init__.pyi`; each is loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
