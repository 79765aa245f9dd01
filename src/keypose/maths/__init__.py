"""The mathematics under the motion: arrays in, arrays out, nothing about animation.

`hermite`, `bspline`, `piecewise` and `quaternion` hold one subject each in numpy, as in the papers; `quadrature` and
`roots` integrate and invert. `hermite_kernels` and `quaternion_kernels` are their numba kernels, and `kernel_switch`
decides when a kernel is worth loading. `arrays` names the array types, `tolerance` the tolerances, `inputs` reads
numbers, flags and words that people give. Other packages import from here; each name is loaded when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
