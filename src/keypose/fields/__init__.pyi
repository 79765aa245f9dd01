from .field import Field as Field
from .library import Attractor as Attractor
from .library import Repeller as Repeller
from .library import Spring as Spring
from .library import Uniform as Uniform
from .library import Vortex as Vortex
from .library import Wall as Wall
from .noise import Noise as Noise
