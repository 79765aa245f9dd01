"""Pictures: a sheet that shows a path, a motion, a turn or a profile at a glance, in the papers' own notation.

`look` holds the colours, `panels` draw one thing each into given axes, `sheet` composes them; `gallery` redraws the
papers' figures. matplotlib is imported only when something is plotted.
"""
