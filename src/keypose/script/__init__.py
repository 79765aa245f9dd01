"""Meetings, their graph, and the speeds that keep them (LG95 sections 5 and 6).

`script` and `meeting` hold what the animator states, `plan` the same as arrays, `feasibility` checks it, `sync`
regulates the speeds (`sync/rules` in numpy, `sync/kernels` compiled), `report` tells how a script went.
Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
