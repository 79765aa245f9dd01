from .server.launch import Studio as Studio
from .server.launch import serve as serve
