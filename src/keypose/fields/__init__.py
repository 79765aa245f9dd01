"""WHAT PUSHES: fields that tell every place and moment an acceleration, and what senses them."""
