"""Tolerances that several modules share, each with its unit."""

PROGRESS_TOLERANCE = 1e-9  # of a path parameter, or [s] of a clock: a target this near to its goal has reached it
TIME_TOLERANCE = 1e-9  # [s]
RELATIVE_TIME_TOLERANCE = 1e-6  # of a time: a longer time by less than this is not later
UNIT_TOLERANCE = 1e-15  # a squared length this close to 1 is 1 up to rounding: such numbers stay as they were written
PARALLEL_TOLERANCE = 1e-9  # sine below which a direction and its up are one line
