"""Pictures: a path, a motion, a turn, a profile, a field, a script or a cast on a sheet, in the papers' notation.

`look` holds the colours; `panels`, `bones`, `outline` and `diagrams` draw one thing each into given axes, seen through
`views`; `labels` find a free place; `sheet` composes. Of a whole cast `casting` finds out who is where, `crowd`,
`graphs` and `strip` draw it, and `callsheet` composes; a field is found by `field_scene`, cut by
`field_plane`, drawn by `fieldsheet`. The graph of a script is laid out by `layers` and drawn by `scriptsheet`;
`performance` draws how it was kept. `drawing`, `film` and `gallery` redraw the papers' figures.
matplotlib is imported only when something is plotted.
"""
