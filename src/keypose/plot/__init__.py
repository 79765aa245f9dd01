"""Pictures: a sheet that shows a path, a motion, a turn or a profile at a glance, in the papers' own notation.

`look` holds the colours; `panels`, `bones`, `outline` and `diagrams` draw one thing each into given axes, seen through
`views`; `labels` find a free place; `sheet` composes. `drawing`, `film` and `gallery` redraw the papers' figures.
matplotlib is imported only when something is plotted.
"""
