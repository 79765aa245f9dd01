"""WHO: actors that know each other by name, what they do together at any moment, and shooting it."""
