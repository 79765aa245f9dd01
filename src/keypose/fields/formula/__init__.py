"""Fields typed by people: text is read into a recipe of checked steps, and only the recipe is ever computed.

`lexer` looks at the characters, `reading` at their meaning, `program` holds the recipe, `derivative` finds its slope;
`evaluate` computes it at once, `compile` as fast as a loop written by hand. `formula` has the public words.
"""
