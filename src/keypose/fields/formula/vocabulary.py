"""Which words does a formula know? Variables, constants and functions; nobody else's names reach any further."""

from math import e, pi, tau

POSITION = ("x", "y", "z")
VELOCITY = ("vx", "vy", "vz")
VARIABLES = (*POSITION, "t", *VELOCITY)  # and r, the distance from the origin, wherever there are x, y and z
CONSTANTS = {"pi": pi, "e": e, "tau": tau}

SCALAR_FUNCTIONS = {  # one operation each
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "asin": "asin",
    "acos": "acos",
    "atan": "atan",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "exp": "exp",
    "log": "log",
    "sqrt": "root",
    "abs": "absolute",
    "floor": "floor",
    "ceil": "ceil",
    "sign": "sign",
}

# How each function is called, for the sentence that tells whoever called it otherwise.
CALL_FORMS = {name: f"{name}(a)" for name in SCALAR_FUNCTIONS} | {
    "atan2": "atan2(y, x)",
    "min": "min(a, b, …)",
    "max": "max(a, b, …)",
    "hypot": "hypot(a, b) or hypot(a, b, c)",
    "clamp": "clamp(a, low, high)",
    "mix": "mix(a, b, share)",
    "smoothstep": "smoothstep(low, high, a)",
    "radians": "radians(degrees)",
    "degrees": "degrees(radians)",
    "where": "where(x > 0, a, b)",
    "dot": "dot(a, b)",
    "cross": "cross(a, b)",
    "length": "length(a)",
    "normalize": "normalize(a)",
}
ARGUMENT_COUNTS = dict.fromkeys(CALL_FORMS, range(1, 2)) | {  # how many things each is given
    "atan2": range(2, 3),
    "min": range(2, 100),
    "max": range(2, 100),
    "hypot": range(2, 4),
    "clamp": range(3, 4),
    "mix": range(3, 4),
    "smoothstep": range(3, 4),
    "where": range(3, 4),
    "dot": range(2, 3),
    "cross": range(2, 3),
}
RESERVED_NAMES = frozenset({*VARIABLES, "r", *CONSTANTS, *CALL_FORMS})  # what no parameter can be called
