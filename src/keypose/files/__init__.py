"""Files: saving and loading by ending, written whole or not at all.

`formats` chooses by ending, `writing` replaces a file in one step, `reading` reads one within limits, `os_errors`
turns errors of the system into sentences. Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
