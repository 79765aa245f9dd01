"""Fields typed by people: text is read into a recipe of checked steps, and only the recipe is ever computed.

`spelling` looks at the characters, `reading` at their meaning, `steps` holds the recipe, `derivative` finds its slope;
`numpy_form` computes it at once, `compiled` as fast as a loop written by hand. `formula` has the public words.
"""
