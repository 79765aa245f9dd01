"""What pushes? A field is an acceleration for every place and moment; objects that sense it are steered by it (PF89).

The public words are listed once, in `__init__.pyi`; each is loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
