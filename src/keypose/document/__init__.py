"""The scene file: read, checked and written, with every problem at its path.

`scene` reads and writes a whole stage; `text` parses and lays out JSON; `schema` declares what a file may hold, once
for reading, refusing and describing; `motion`, `fields`, `bodies`, `figures`, `scripts` and `actors` declare the parts;
`migration` reads older versions.
Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
