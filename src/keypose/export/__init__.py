"""Takes as tables for other programs: bytes in, bytes out. The package `files` writes them to disk.

`csv_table` and `npz_table` read and write whole takes; `tracks` and `columns` say what a table holds, `csv_rows` reads
rows, `npz_members` checks an archive before it is unpacked.
Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
