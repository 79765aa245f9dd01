"""The web studio's server: one document, edited in the browser and from Python, journalled and undone by name.

`protocol` declares all messages; `session` holds document, history, journal and files; `edits` turn a command into a
new stage; `preview` and `playback` play it; `present` describes it for the page; `server` speaks HTTP and websocket.
Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
